import { createElement, type ReactNode, type SVGProps } from "react";

interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

interface IconProps extends SVGProps<SVGSVGElement> {
  /** Width and height in pixels. */
  size?: number;
}

/** What the icons of lucide-react are made with, as decoration: the build puts it in the place of the library's own, which is six times as large. */
// oxlint-disable-next-line import/no-default-export -- the icons import it so
export default function createIcon({ node }: IconData): (props: IconProps) => ReactNode {
  return function Icon({ size = 24, ...rest }) {
    const parts = node.map(([tag, attributes]) => createElement(tag, attributes));
    return createElement(
      "svg",
      {
        width: size,
        height: size,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": true,
        ...rest,
      },
      ...parts,
    );
  };
}

import type { AnchorHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";

import { preload, useFindRoute } from "./pages.ts";

export interface PageLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href" | "className"> {
  /** An inner path, e.g. `/login`. */
  href: string;
  className?: string | undefined;
}

/** A link to a page of our own, whose code is fetched as soon as somebody points at it. */
export function PageLink({ href, children, ...rest }: PageLinkProps): ReactNode {
  const findRoute = useFindRoute();
  const fetchAhead = (): void => {
    const route = findRoute(href.replace(/[?#].*/, ""));
    if (route !== undefined) void preload(route.page);
  };
  return (
    <Link {...rest} href={href} onPointerEnter={fetchAhead} onFocus={fetchAhead} onTouchStart={fetchAhead}>
      {children}
    </Link>
  );
}

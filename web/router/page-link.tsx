import { Link, type LinkComponentProps } from "@tanstack/react-router";
import type { ComponentPropsWithRef, ReactNode } from "react";

import { createVisit } from "./navigation.ts";

export interface PageLinkProps extends Omit<ComponentPropsWithRef<"a">, "href" | "className"> {
  /** Inner path, e.g. `/login`. */
  href: string;
  className?: string | undefined;
}

/** Link to a page of the app; prefetches its code on hover. */
export function PageLink({ href, ...rest }: PageLinkProps): ReactNode {
  const props = { ...rest, href, state: createVisit, activeOptions, activeProps } as LinkComponentProps;
  return <Link {...props} />;
}

const activeOptions = { exact: true };
const activeProps = {};

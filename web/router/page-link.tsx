import { Link, type LinkComponentProps } from "@tanstack/react-router";
import type { ComponentPropsWithRef, ReactNode } from "react";

import { createVisit } from "./navigation.ts";

export interface PageLinkProps extends Omit<ComponentPropsWithRef<"a">, "href" | "className"> {
  /** Path within the app, e.g. `/login`. */
  href: string;
  className?: string | undefined;
}

/** A link to a page of the app, which prefetches the page's code on hover. */
export function PageLink({ href, ...rest }: PageLinkProps): ReactNode {
  const props = { ...rest, href, state: createVisit, activeOptions, activeProps } as LinkComponentProps;
  return <Link {...props} />;
}

const activeOptions = { exact: true };
const activeProps = {};

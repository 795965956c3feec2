import { notFound, redirect, type ParsedLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { PageAudience } from "#contract/built-pages.ts";
import { getUser } from "#web/session/session.ts";
import type { LazyPage } from "./lazy-page.tsx";
import { findRedirect, isAllowed } from "./route-rules.ts";

export interface SidebarLink {
  /** Sort key of the link in the sidebar, smallest first; multiples of 10 leave room between links. */
  readonly place: number;
  /** `true` to also show the link in the header if there is room. */
  readonly isInHeader?: boolean;
  /** Months in which the link is shown, 1 for January; by default all year. */
  readonly months?: readonly number[];
  readonly label: string;
  readonly icon: ReactNode;
  /** Audience of the link, which may be larger than that of the page. */
  readonly who: PageAudience;
}

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    readonly who?: PageAudience;
    /** First part of the document's title. */
    readonly title?: string;
    /**
     * `true` to show only the page, without header, flash messages and the parts for members (see
     * members.tsx).
     */
    readonly isBare?: boolean;
    readonly link?: SidebarLink;
  }
}

interface PageOptions {
  readonly who: PageAudience;
  readonly title: string;
  readonly page: LazyPage;
  readonly isBare?: boolean;
  readonly link?: SidebarLink;
}

/** Returns the options of a page's route, whose guard runs before the page is loaded. */
export function pageOptions({ page, ...staticData }: PageOptions) {
  return {
    component: page,
    staticData,
    beforeLoad: ({ location }: { location: ParsedLocation }) => guardPage(staticData.who, location),
  };
}

/**
 * Redirects guests to the login page, and members away from pages for guests. Throws the router's
 * `notFound` for a page that the member may not open.
 */
export function guardPage(who: PageAudience, { href: address }: ParsedLocation): void {
  const user = getUser();
  const href = findRedirect(who, user, address);
  if (href !== undefined) redirect({ href, replace: true, throw: true });
  if (!isAllowed(who, user)) notFound({ data: deniedPage, throw: true });
}

/** Marks a `notFound` error as caused by a page that this member may not open. */
export const deniedPage = "denied";

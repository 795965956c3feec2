import { notFound, redirect, type ParsedLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { PageAudience } from "#contract/built-pages.ts";
import { getUser } from "#web/session/session.ts";
import type { LazyPage } from "./lazy-page.tsx";
import { findRedirect, isAllowed } from "./route-rules.ts";

interface SidebarLink {
  /** Order of the links, smallest first; multiples of 10 leave room between them. */
  readonly place: number;
  /** `true` to also show the link in the header if there is room. */
  readonly isInHeader?: boolean;
  /** Months in which the link is shown, 1 for January. Default: all year. */
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
    /** `true` to show only the page, without header, flashes and member parts. */
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

/** Returns the options of a page's route; its guard runs before the page is loaded. */
export function pageOptions({ page, ...staticData }: PageOptions) {
  return {
    component: page,
    staticData,
    beforeLoad: ({ location }: { location: ParsedLocation }) => guardPage(staticData.who, location),
  };
}

/** Redirects guests to the login and members away from guests' pages; throws the router's not-found for a denied page. */
export function guardPage(who: PageAudience, { href: address }: ParsedLocation): void {
  const user = getUser();
  const href = findRedirect(who, user, address);
  if (href !== undefined) redirect({ href, replace: true, throw: true });
  if (!isAllowed(who, user)) notFound({ data: deniedPage, throw: true });
}

/** Marks a `notFound` as a page that this member may not open. */
export const deniedPage = "denied";

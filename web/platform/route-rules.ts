import type { Audience, Permission } from "#contract/endpoint.ts";

import { dashboard, loginFor } from "./redirect-target.ts";

/** Who may see a page. `guest`: only visitors, members are led to the dashboard. */
export type PageAudience = Audience | "guest";

/** One line of the route table, as far as its rules are concerned. */
export interface RouteRule {
  readonly path: string;
  readonly who: PageAudience;
  /** This address only leads on to another one. */
  readonly leadsTo?: string;
}

export interface Visitor {
  readonly permissions: readonly Permission[];
}

/** What a visit ends in: the page itself, the refusal, or another address. */
export type Verdict = "show" | "denied" | { readonly leadsTo: string };

/** Whether `visitor` (null: nobody is logged in) may see `route`; `attempted` is the path with its query. */
export function judgeVisit(route: RouteRule, visitor: Visitor | null, attempted: string): Verdict {
  if (route.who === "guest" && visitor !== null) return { leadsTo: dashboard };
  if (needsLogin(route.who) && visitor === null) return { leadsTo: loginFor(attempted) };
  if (!isAllowed(route.who, visitor)) return "denied";
  return route.leadsTo === undefined ? "show" : { leadsTo: route.leadsTo };
}

/** Whether a link for this audience is shown to `visitor`. */
export function isAllowed(who: PageAudience, visitor: Visitor | null): boolean {
  if (who === "everyone") return true;
  if (who === "guest") return visitor === null;
  if (visitor === null) return false;
  return who === "member" || who.every((permission) => visitor.permissions.includes(permission));
}

/** Where a visit to `address` (path with query) ends: at a route that may be shown or not, or nowhere (undefined). */
export function settleVisit<Route extends RouteRule>(
  findRoute: (path: string) => Route | undefined,
  visitor: Visitor | null,
  address: string,
): { route: Route | undefined; isDenied: boolean; address: string } {
  const route = findRoute(address.replace(/[?#].*/, ""));
  if (route === undefined) return { route, isDenied: false, address };
  const verdict = judgeVisit(route, visitor, address);
  if (typeof verdict === "object") return settleVisit(findRoute, visitor, verdict.leadsTo);
  return { route, isDenied: verdict === "denied", address };
}

/** The document's title: "{page} – {group}". */
export function titleOf(page: string, group: string): string {
  return `${page} – ${group}`;
}

function needsLogin(who: PageAudience): boolean {
  return who !== "everyone" && who !== "guest";
}

import type { Audience, Permission } from "#contract/endpoint.ts";

import { dashboardPath, loginPathFor } from "./redirect-target.ts";

/** Who may see a page. `guest`: only visitors, members are led to the dashboard. */
export type PageAudience = Audience | "guest";

/** One line of the route table, as far as its rules are concerned. */
export interface RouteRule {
  readonly path: string;
  readonly who: PageAudience;
  /** This address only leads on to another one. */
  readonly redirectTo?: string;
}

export interface Viewer {
  readonly permissions: readonly Permission[];
}

/** What a visit ends in: the page itself, the refusal, or another address. */
export type AccessDecision = "show" | "denied" | { readonly leadsTo: string };

/** Whether `visitor` (null: nobody is logged in) may see `route`; `attempted` is the path with its query. */
export function resolveAccess(route: RouteRule, visitor: Viewer | null, attempted: string): AccessDecision {
  if (route.who === "guest" && visitor !== null) return { leadsTo: dashboardPath };
  if (needsLogin(route.who) && visitor === null) return { leadsTo: loginPathFor(attempted) };
  if (!isAllowed(route.who, visitor)) return "denied";
  return route.redirectTo === undefined ? "show" : { leadsTo: route.redirectTo };
}

/** Whether a link for this audience is shown to `visitor`. */
export function isAllowed(who: PageAudience, visitor: Viewer | null): boolean {
  if (who === "everyone") return true;
  if (who === "guest") return visitor === null;
  if (visitor === null) return false;
  return who === "member" || who.every((permission) => visitor.permissions.includes(permission));
}

/** Where a visit to `address` (path with query) ends: at a route that may be shown or not, or nowhere (undefined). */
export function resolveRoute<Route extends RouteRule>(
  findRoute: (path: string) => Route | undefined,
  visitor: Viewer | null,
  address: string,
): { route: Route | undefined; isDenied: boolean; address: string } {
  const route = findRoute(address.replace(/[?#].*/, ""));
  if (route === undefined) return { route, isDenied: false, address };
  const decision = resolveAccess(route, visitor, address);
  if (typeof decision === "object") return resolveRoute(findRoute, visitor, decision.leadsTo);
  return { route, isDenied: decision === "denied", address };
}

/** The document's title: "{page} – {group}". */
export function titleOf(page: string, group: string): string {
  return `${page} – ${group}`;
}

/** Whether only members see what is for this audience. */
export function needsLogin(who: PageAudience): boolean {
  return who !== "everyone" && who !== "guest";
}

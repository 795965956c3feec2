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

/** Whether a page or link for this audience is shown to `visitor`; null: nobody is logged in. */
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
  const redirect = findRedirect(route, visitor, address);
  if (redirect !== undefined) return resolveRoute(findRoute, visitor, redirect);
  return { route, isDenied: !isAllowed(route.who, visitor), address };
}

function findRedirect({ who, redirectTo }: RouteRule, visitor: Viewer | null, address: string): string | undefined {
  if (who === "guest" && visitor !== null) return dashboardPath;
  if (needsLogin(who) && visitor === null) return loginPathFor(address);
  return isAllowed(who, visitor) ? redirectTo : undefined;
}

/** The document's title: "{page} – {group}". */
export function titleOf(page: string, group: string): string {
  return `${page} – ${group}`;
}

/** Whether only members see what is for this audience. */
export function needsLogin(who: PageAudience): boolean {
  return who !== "everyone" && who !== "guest";
}

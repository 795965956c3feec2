import type { Audience, Permission } from "#contract/endpoint.ts";
import { dashboardPath, loginPathFor } from "#web/page/redirect-target.ts";

/** The visitors who may see a page. `guest`: only without a login; members are redirected to the counter. */
export type PageAudience = Audience | "guest";

export interface Viewer {
  readonly permissions: readonly Permission[];
}

/**
 * Returns `true` if `visitor` may see a page or link for this audience; `visitor` is `null` without
 * a login.
 */
export function isAllowed(who: PageAudience, visitor: Viewer | null): boolean {
  if (who === "everyone") return true;
  if (who === "guest") return visitor === null;
  if (visitor === null) return false;
  return who === "member" || who.every((permission) => visitor.permissions.includes(permission));
}

/**
 * Returns the address to which a visitor of `address` (path, query and fragment) is redirected;
 * `undefined` without a redirect.
 */
export function findRedirect(who: PageAudience, visitor: Viewer | null, address: string): string | undefined {
  if (who === "guest" && visitor !== null) return dashboardPath;
  if (!needsLogin(who) || visitor !== null) return undefined;
  const [attempted = "", fragment] = address.split("#", 2);
  return loginPathFor(attempted) + (fragment ? `#${fragment}` : "");
}

/** Returns the document's title: "{page} – {group}". */
export function titleOf(page: string, group: string): string {
  return `${page} – ${group}`;
}

/** Returns `true` if pages for this audience require a login. */
export function needsLogin(who: PageAudience): boolean {
  return who !== "everyone" && who !== "guest";
}

/** Marks a `notFound` error as caused by a page that this member may not open. */
export const deniedPage = "denied";

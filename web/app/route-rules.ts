import type { Audience, Permission } from "#contract/endpoint.ts";
import { dashboardPath, loginPathFor } from "#web/page/redirect-target.ts";

/** `guest`: members are redirected to the counter. */
export type PageAudience = Audience | "guest";

export interface Viewer {
  readonly permissions: readonly Permission[];
}

/** Returns `true` for a visitor (`null` without a login) who may see the page or link. */
export function isAllowed(who: PageAudience, visitor: Viewer | null): boolean {
  if (who === "everyone") return true;
  if (who === "guest") return visitor === null;
  if (visitor === null) return false;
  return who === "member" || who.every((permission) => visitor.permissions.includes(permission));
}

/** Returns `undefined` without a redirect; `address` is path, query and fragment. */
export function findRedirect(who: PageAudience, visitor: Viewer | null, address: string): string | undefined {
  if (who === "guest" && visitor !== null) return dashboardPath;
  if (!needsLogin(who) || visitor !== null) return undefined;
  const [attempted = "", fragment] = address.split("#", 2);
  return loginPathFor(attempted) + (fragment ? `#${fragment}` : "");
}

export function titleOf(page: string, group: string): string {
  return `${page} – ${group}`;
}

export function needsLogin(who: PageAudience): boolean {
  return who !== "everyone" && who !== "guest";
}

/** Marks a `notFound` of a page that this member may not open. */
export const deniedPage = "denied";

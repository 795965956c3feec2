import { email, memberName, uname } from "#contract/member-fields.ts";
import type { Claims } from "#server/platform/oidc/provider.ts";
import { minutes } from "#server/time.ts";

/** Time for the login at the provider, for the registration form after it, and in which a logout token is accepted. */
export const lifetimeMs = { request: minutes(10), registration: minutes(30), logout: minutes(5) } as const;

/** An empty list allows everybody. */
export function isInAllowedGroup({ groups }: Claims, allowed: readonly string[]): boolean {
  if (allowed.length === 0) return true;
  const held: unknown[] = Array.isArray(groups) ? groups : [groups];
  return held.some((group) => typeof group === "string" && allowed.includes(group));
}

/** Returns epoch ms; 0 if the provider does not report the time. */
export function timeOfLogin({ auth_time }: Claims, now: number): number {
  return typeof auth_time === "number" ? Math.min(now, auth_time * 1000) : 0;
}

/** The provider names its session so in a logout token. */
export function sessionOf({ sid }: Claims): string | null {
  return typeof sid === "string" ? sid : null;
}

/** A field is empty if the claims contain no valid value for it. */
export interface Suggestions {
  readonly uname: string;
  readonly name: string;
  readonly email: string;
}

/** Ignores email addresses that the provider has not verified. */
export function suggestFields(claims: Claims): Suggestions {
  const { preferred_username, nickname, name, given_name } = claims;
  const localPart = typeof claims["email"] === "string" ? claims["email"].split("@")[0] : undefined;
  const unames = [preferred_username, localPart, nickname, given_name, name].map(toUname);
  const names = [name, given_name, nickname, preferred_username];
  return {
    uname: unames.find((text) => text !== "") ?? "",
    name: names.map((text) => accept(memberName, text)).find((text) => text !== "") ?? "",
    email: claims["email_verified"] === true ? accept(email, claims["email"]) : "",
  };
}

export function numberUname(text: string, number: number): string {
  return number === 1 ? text : `${[...text].slice(0, 60).join("")}${number}`;
}

function toUname(text: unknown): string {
  if (typeof text !== "string") return "";
  const [beforeAt = ""] = text.trim().split("@");
  const plain = beforeAt.replaceAll(/\s+/g, ".").replaceAll(/[^\p{L}\p{M}0-9._-]/gu, "");
  return accept(uname, [...plain].slice(0, 64).join(""));
}

function accept(schema: typeof uname, text: unknown): string {
  const { success, data } = schema.safeParse(text);
  return success ? data : "";
}

import type { IncomingHttpHeaders } from "node:http";

import { idempotencyKey, tapHeaders } from "#contract/beercounter.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";

/** `age` is in milliseconds. Refuses taps of another member and malformed headers. Guests and tablets have none. */
export function readTapHeaders(
  headers: IncomingHttpHeaders,
  member: Member | null,
): { key: string | null; age: number } {
  if (member) checkTapMember(headers, member);
  const key = readKey(headers["idempotency-key"]);
  return { key, age: readAge(headers["tap-age"], key) };
}

/** Like readTapHeaders(), but refuses a tap without a key, too. */
export function readKeyedTap(headers: IncomingHttpHeaders, member: Member | null): { key: string; age: number } {
  const { key, age } = readTapHeaders(headers, member);
  if (key === null) throw refuseField(tapHeaders.key, "required");
  return { key, age };
}

/** Refuses with 401 if another member has logged in with this browser since the tap. */
export function checkTapMember({ "tapped-by": header }: IncomingHttpHeaders, member: Member): void {
  if (header !== undefined && header !== String(member.id)) throw refuse("notLoggedIn");
}

type Header = string | string[] | undefined;

function readKey(header: Header): string | null {
  if (header === undefined) return null;
  const parsed = idempotencyKey.safeParse(header);
  if (!parsed.success) throw refuseField(tapHeaders.key, "invalid");
  return parsed.data;
}

/** Returns ms. Refuses an age without a key, because such a tap would be counted again when it is retried. */
export function readAge(header: Header, key: string | null): number {
  if (header === undefined) return 0;
  const isAge = typeof header === "string" && /^\d{1,15}$/.test(header);
  if (key === null || !isAge) throw refuseField(tapHeaders.age, "invalid");
  return Number(header);
}

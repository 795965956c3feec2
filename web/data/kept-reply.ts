import * as z from "zod/mini";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { getStoredMemberId, getUserItem, setUserItem } from "#web/session/user-storage.ts";

/**
 * Options of a query whose reply is stored in this browser, as the initial data of the next visit.
 */
export interface KeptReply {
  readonly name: string;
  /**
   * Returns `false` if a reply stored at `at` (epoch ms) is outdated. By default, stored replies
   * are never outdated.
   */
  isCurrent?(at: number): boolean;
}

/**
 * Stores a reply for the logged-in member. Does nothing without a login, e.g. after a logout in
 * another tab.
 */
export function keepReply(name: string, reply: unknown): void {
  const memberId = getStoredMemberId();
  if (memberId !== null) setUserItem(name, { memberId, at: Date.now(), reply });
}

/**
 * Returns the stored reply of the logged-in member; `undefined` if it is missing, outdated or
 * malformed.
 */
export function findKeptReply<E extends Endpoint>(endpoint: E, { name, isCurrent }: KeptReply): ReplyOf<E> | undefined {
  const kept = getUserItem(name, z.object({ memberId: z.int(), at: z.int(), reply: z.unknown() }));
  if (kept === null || kept.memberId !== getStoredMemberId()) return undefined;
  if (isCurrent?.(kept.at) === false) return undefined;
  const parsed = endpoint.reply?.safeParse(kept.reply);
  return parsed?.success ? (parsed.data as ReplyOf<E>) : undefined;
}

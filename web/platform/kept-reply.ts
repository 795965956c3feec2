import * as z from "zod/mini";

import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { getUserItem, setUserItem } from "./user-storage.ts";

/** Where a reply is kept on this device, so that a visit without network begins with it. */
export interface KeptReply {
  readonly name: string;
  /** Returns `false` if a reply of that time (epoch ms) says nothing about today any more. Default: every reply does. */
  isCurrent?(at: number): boolean;
}

const member = z.object({ id: z.int() });

/** Keeps a reply for the member of this device; without one, e.g. after a logout in another tab, nothing is kept. */
export function keepReply(name: string, reply: unknown): void {
  const owner = getUserItem("user", member);
  if (owner !== null) setUserItem(name, { memberId: owner.id, at: Date.now(), reply });
}

/** Returns what was kept for the member of this device. */
export function findKeptReply<E extends Endpoint>(endpoint: E, { name, isCurrent }: KeptReply): ReplyOf<E> | undefined {
  const kept = getUserItem(name, z.object({ memberId: z.int(), at: z.int(), reply: z.unknown() }));
  if (kept === null || kept.memberId !== getUserItem("user", member)?.id) return undefined;
  if (isCurrent?.(kept.at) === false) return undefined;
  const parsed = endpoint.reply?.safeParse(kept.reply);
  return parsed?.success ? (parsed.data as ReplyOf<E>) : undefined;
}

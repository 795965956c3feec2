import { createHash } from "node:crypto";

import type { ManagedDoor } from "./store.ts";

/** Version of a door for requests that change it: another one with every other picture and every other owner. */
export function doorVersion({ ownerId, pictureId }: ManagedDoor): string {
  return createHash("sha256")
    .update(`${ownerId ?? ""} ${pictureId ?? ""}`)
    .digest("base64url")
    .slice(0, 16);
}

/** Returns whether a picture stays a surprise for this administrator: it is another member's, its day has not begun, and it is not revealed. */
export function isSurprise(
  door: { readonly date: string; readonly ownerId: number | null },
  viewer: { readonly userId: number; readonly today: string; readonly hasRevealed: boolean },
): boolean {
  const { date, ownerId } = door;
  return ownerId !== null && ownerId !== viewer.userId && date > viewer.today && !viewer.hasRevealed;
}

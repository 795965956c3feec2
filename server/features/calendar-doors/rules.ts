import { createHash } from "node:crypto";

import type { ManagedDoor } from "./store.ts";

/** Returns the version of a door for requests that change it; it changes with the picture and the owner. */
export function doorVersion({ ownerId, pictureId }: ManagedDoor): string {
  return createHash("sha256")
    .update(`${ownerId ?? ""} ${pictureId ?? ""}`)
    .digest("base64url")
    .slice(0, 16);
}

/**
 * Returns `true` if a picture is still a surprise for this administrator: it is another member's, its day has not begun, and it
 * is not revealed.
 */
export function isSurprise(
  door: { readonly date: string; readonly ownerId: number | null },
  viewer: { readonly userId: number; readonly today: string; readonly hasRevealed: boolean },
): boolean {
  const { date, ownerId } = door;
  return ownerId !== null && ownerId !== viewer.userId && date > viewer.today && !viewer.hasRevealed;
}

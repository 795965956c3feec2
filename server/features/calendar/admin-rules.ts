import { createHash } from "node:crypto";

import type { ManagedDoor } from "./admin-store.ts";

/** Pages send the version that they know with each change, so that a page with a stale door changes nothing. */
export function doorVersion({ ownerId, pictureId }: ManagedDoor): string {
  return createHash("sha256")
    .update(`${ownerId ?? ""} ${pictureId ?? ""}`)
    .digest("base64url")
    .slice(0, 16);
}

/**
 * Returns `true` if another member owns the picture, its day has not begun, and this administrator has not revealed it.
 */
export function isSurprise(
  door: { readonly date: string; readonly ownerId: number | null },
  viewer: { readonly userId: number; readonly today: string; readonly hasRevealed: boolean },
): boolean {
  const { date, ownerId } = door;
  return ownerId !== null && ownerId !== viewer.userId && date > viewer.today && !viewer.hasRevealed;
}

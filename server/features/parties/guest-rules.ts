import { isManager, type Viewer } from "./rules.ts";

/**
 * Returns `true` for the member who added the guest, and for managers of the party if that member is disabled or has
 * left.
 */
export function canCountFor(
  viewer: Viewer,
  guest: { readonly added_by: number; readonly disabled_at: number | null },
  party: { readonly created_by: number },
): boolean {
  return viewer.id === guest.added_by || (guest.disabled_at !== null && isManager(viewer, party));
}

/** Ignores case. */
export function isSameName(one: string, other: string): boolean {
  return one.toLocaleLowerCase("de") === other.toLocaleLowerCase("de");
}

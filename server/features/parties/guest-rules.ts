export function isRunning(
  { starts_at, ends_at }: { readonly starts_at: number; readonly ends_at: number },
  now: number,
): boolean {
  return starts_at <= now && ends_at > now;
}

interface Viewer {
  readonly id: number;
  readonly permissions: readonly string[];
}

/** Returns `true` for the creator and for administrators. */
export function isManager({ id, permissions }: Viewer, { created_by }: { readonly created_by: number }): boolean {
  return id === created_by || permissions.includes("admin");
}

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

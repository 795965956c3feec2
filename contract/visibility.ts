export const visibilities = ["visible", "quiet", "hidden"] as const;
export type Visibility = (typeof visibilities)[number];

/**
 * With which visibility others see a member's name in a place. The group's sums count every member. docs/privacy.de.md
 * has the same table.
 */
export const shownWith = {
  ranking: ["visible"],
  presence: ["visible"],
  announcements: ["visible"],
  memberPage: ["visible"],
  parties: ["visible"],
  emptyDoors: ["visible"],
  invitations: ["visible"],
  webhooks: ["visible"],
  partyStarters: ["visible"],
  filledDoors: ["visible", "quiet"],
  guestHosts: ["visible", "quiet"],
  gameServers: ["visible", "quiet"],
  avatars: ["visible", "quiet"],
  lottery: ["visible", "quiet"],
  faces: ["visible", "quiet"],
} as const satisfies Record<string, readonly Visibility[]>;
export type VisiblePlace = keyof typeof shownWith;

export function isShownWith(visibility: Visibility = "visible", place: VisiblePlace): boolean {
  const shown: readonly Visibility[] = shownWith[place];
  return shown.includes(visibility);
}

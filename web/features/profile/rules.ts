import { avatarLimits } from "#contract/profile.ts";
import { ApiError, somethingFailed } from "#web/platform/api.ts";

const { perMember } = avatarLimits;
/** Why there is no room for one more picture. */
export const fullMessage = `Mehr als ${perMember} Profilbilder gehen nicht. Lösche erst eins.`;

export function isFull(pictures: number): boolean {
  return pictures >= perMember;
}

/** What stands below one's pictures: how many there are, and why there may be no more. */
export function describeCount(pictures: number): string {
  if (pictures === 0) return "Noch keine Profilbilder hochgeladen.";
  return isFull(pictures) ? fullMessage : `${pictures} von ${perMember} Profilbildern`;
}

/** Largest side of what is uploaded, in pixels. */
export const outputSide = 1000;

/** Why a picture was not uploaded. */
export function uploadErrorText(error: unknown): string {
  const refusal = error instanceof ApiError ? error : null;
  const [reason] = refusal?.errors["avatar"] ?? [];
  if (reason !== undefined) return reason;
  // The server waits for a minute.
  if (refusal?.status === 408) return "Deine Verbindung ist dafür zu langsam. Versuch es mit besserem Empfang nochmal.";
  return refusal?.status === 0 ? refusal.message : somethingFailed;
}

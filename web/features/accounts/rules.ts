import { avatarLimits } from "#contract/profile.ts";
import { ApiError, somethingFailed } from "#web/data/api.ts";

const { perMember } = avatarLimits;
/** Message shown in place of an upload if the member already has the maximum number of pictures. */
export const fullMessage = `Mehr als ${perMember} Profilbilder gehen nicht. Lösche erst eins.`;

export function isFull(pictures: number): boolean {
  return pictures >= perMember;
}

/** Returns the text below the member's pictures: their number, or that the maximum is reached. */
export function describeCount(pictures: number): string {
  if (pictures === 0) return "Noch keine Profilbilder hochgeladen.";
  return isFull(pictures) ? fullMessage : `${pictures} von ${perMember} Profilbildern`;
}

/** Maximum side length of uploaded pictures, in pixels. */
export const outputSide = 1000;

/** Returns the German message for an upload that failed. */
export function uploadErrorText(error: unknown): string {
  const refusal = error instanceof ApiError ? error : null;
  const [reason] = refusal?.errors["avatar"] ?? [];
  if (reason !== undefined) return reason;
  // The server answers 408 if an upload takes longer than a minute.
  if (refusal?.status === 408) return "Deine Verbindung ist dafür zu langsam. Versuch es mit besserem Empfang nochmal.";
  return refusal?.status === 0 ? refusal.message : somethingFailed;
}

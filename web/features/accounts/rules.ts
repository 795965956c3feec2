import { avatarLimits } from "#contract/profile.ts";
import { ApiError, somethingFailed } from "#web/client/api.ts";

const { perMember } = avatarLimits;
export const fullMessage = `Mehr als ${perMember} Profilbilder gehen nicht. Lösche erst eins.`;

export function isFull(pictures: number): boolean {
  return pictures >= perMember;
}

export function describeCount(pictures: number): string {
  if (pictures === 0) return "Noch keine Profilbilder hochgeladen.";
  return isFull(pictures) ? fullMessage : `${pictures} von ${perMember} Profilbildern`;
}

/** In pixels. */
export const outputSide = 1000;

export function uploadErrorText(error: unknown): string {
  const refusal = error instanceof ApiError ? error : null;
  const [reason] = refusal?.errors["avatar"] ?? [];
  if (reason !== undefined) return reason;
  // The server answers 408 if an upload takes longer than a minute.
  if (refusal?.status === 408) return "Deine Verbindung ist dafür zu langsam. Versuch es mit besserem Empfang nochmal.";
  return refusal?.status === 0 ? refusal.message : somethingFailed;
}

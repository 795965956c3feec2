import type { AccessLinks } from "#contract/member-management.ts";
import { avatarLimits } from "#contract/profile.ts";
import { ApiError, somethingFailed } from "#web/client/api.ts";
import { isPending, isUndo, type OutboxEntry } from "#web/client/outbox-rules.ts";
import { formatBeers, formatCount, formatList } from "#web/ui/german.ts";

const { perMember } = avatarLimits;
export const fullMessage = `Mehr als ${perMember} Profilbilder gehen nicht. Lösche erst eins.`;

export function isFull(pictures: number): boolean {
  return pictures >= perMember;
}

export function describeCount(pictures: number): string {
  if (pictures === 0) return "Noch keine Profilbilder hochgeladen.";
  return isFull(pictures) ? fullMessage : `${pictures} von ${perMember} Profilbildern`;
}

/** In px. Every member's phone loads the picture, so it has a quarter of the pixels that the server accepts. */
export const outputSide = 512;

export function uploadErrorText(error: unknown): string {
  const refusal = error instanceof ApiError ? error : null;
  const [reason] = refusal?.errors["avatar"] ?? [];
  if (reason !== undefined) return reason;
  // 408: an upload took longer than a minute.
  if (refusal?.status === 408) return "Deine Verbindung ist dafür zu langsam. Versuch es mit besserem Empfang nochmal.";
  return refusal?.status === 0 ? refusal.message : somethingFailed;
}

/**
 * Returns e.g. `Damit enden auch 2 Einladungen von Ben, und 1 Webhook pausiert.`, or `null`. `maker` is a name or
 * "dir".
 */
export function describeEndingLinks(
  { invitations, tv_links, reset_links, webhooks }: AccessLinks,
  maker: string,
): string | null {
  const counts: [count: number, one: string, many: string][] = [
    [invitations, "Einladung", "Einladungen"],
    [tv_links, "Fernseher-Link", "Fernseher-Links"],
    [reset_links, "Passwort-Link", "Passwort-Links"],
  ];
  const words = counts.filter(([count]) => count > 0).map(([count, one, many]) => formatCount(count, one, many));
  const paused = formatCount(webhooks, "Webhook", "Webhooks");
  const pauses = webhooks === 1 ? "pausiert" : "pausieren";
  if (words.length === 0) return webhooks === 0 ? null : `Damit ${pauses} auch ${paused} von ${maker}.`;
  const verb = invitations + tv_links + reset_links === 1 ? "endet" : "enden";
  const also = webhooks === 0 ? "" : `, und ${paused} ${pauses}`;
  return `Damit ${verb} auch ${formatList(words)} von ${maker}${also}.`;
}

/** Takes the entries that a logout would drop, at least one. */
export function describeUnsent(entries: readonly OutboxEntry[]): { title: string; text: string } {
  const beers = entries.filter((entry) => !isUndo(entry)).length;
  const waits = "Solange du angemeldet bleibst, passiert das von selbst, sobald du Empfang hast.";
  const dropped = "Nach dem Logout bleibt in diesem Browser nichts von dir zurück.";
  if (beers === 0) {
    const count = entries.length;
    return {
      title: `${formatBeers(count)} ${count === 1 ? "zählt" : "zählen"} noch`,
      text: `Noch nicht rückgängig gemacht! ${waits} ${dropped}`,
    };
  }
  if (!entries.some(isPending))
    return {
      title: `${formatBeers(beers)} nicht gebucht`,
      text: `Auf dem Counter steht, was du tun kannst. ${dropped}`,
    };
  return {
    title: `${formatBeers(beers)} ${beers === 1 ? "wartet" : "warten"} noch`,
    text: `Noch nicht gebucht! ${waits} ${dropped}`,
  };
}

import type { GuestScreen } from "#contract/guest-device.ts";
import { isUndo, type OutboxEntry } from "#web/client/outbox-rules.ts";
import { formatBeers, formatList } from "#web/ui/german.ts";

/** Bridges the time until the screen is refetched. */
export function applyOwnTotal(screen: GuestScreen, entry: OutboxEntry, total: number): GuestScreen {
  const added = total - screen.total;
  const others = screen.undo_keys.filter((key) => key !== entry.beer);
  return {
    ...screen,
    total,
    undo_keys: isUndo(entry) ? others : [...others, entry.beer],
    party: { ...screen.party, total: screen.party.total + added, guest_total: screen.party.guest_total + added },
  };
}

/** Returns "2 Biere warten auf Empfang. Lass die Seite offen!" */
export function describeWaiting(count: number): string {
  return `${formatBeers(count)} ${count === 1 ? "wartet" : "warten"} auf Empfang. Lass die Seite offen!`;
}

export function describeRefused(count: number, reason: string | null): string {
  return `${formatBeers(count)} ${count === 1 ? "zählt" : "zählen"} nicht. ${reason ?? "Die Party war schon vorbei."}`;
}

/** Returns "Am Tisch: du, Anna und Ben." */
export function describeTable(members: readonly string[]): string {
  return `Am Tisch: ${formatList(["du", ...members])}.`;
}

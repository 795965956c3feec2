import { isPending, isUndo, isWaiting, undoOf, type NewEntry, type OutboxEntry } from "#web/client/outbox-rules.ts";
import { useClient, useStore } from "#web/page/session.ts";

export interface GuestCounter {
  readonly total: number;
  /** Number of beers sent at least once without a reply. */
  readonly waiting: number;
  readonly drink: () => void;
  /** `null` if no beer can be undone. */
  readonly undo: (() => void) | null;
}

interface BookedBeers {
  readonly total: number;
  readonly undo_keys: readonly string[];
}

/** Counts this device's pending beers, too. `drink` books one of the `entries`. */
export function useCounterOf(
  { total, undo_keys }: BookedBeers,
  isOne: (entry: OutboxEntry) => boolean,
  drink: NewEntry,
): GuestCounter {
  const { outbox } = useClient();
  const entries = useStore(outbox.entries).filter(isOne);
  const isBooked = ({ beer }: OutboxEntry): boolean => undo_keys.includes(beer);
  const pending = entries.filter(isPending);
  const undone = entries.filter(isUndo);
  const unbooked = pending.filter((entry) => !isBooked(entry));
  const newest = [
    ...undo_keys.filter((key) => !undone.some(({ beer }) => beer === key)),
    ...unbooked.map(({ beer }) => beer),
  ].at(-1);
  return {
    total: total + unbooked.length - undone.filter(isBooked).length,
    waiting: pending.filter(isWaiting).length,
    drink: () => void outbox.add(drink),
    undo: newest === undefined ? null : () => void outbox.undo(newest, undoOf(drink, newest)),
  };
}

import { tapBody, tapLimits, type BeerKind, type OwnBeer } from "#contract/beercounter.ts";
import type { OutboxEntry } from "#web/data/outbox-storage.ts";
import { formatDate } from "#web/ui/german.ts";

/** Messages shown after a member's tap; one is picked at random. */
export const sayings = [
  "Prosit, liebe Runde",
  "Wohl bekomm's",
  "Nicht lang schnacken, Kopf in Nacken",
  "Hoch die Tassen",
  "Zum Wohl, die Herrschaften",
  "Hopfen und Malz, Gott erhalt's",
  "Auf die Freundschaft",
  "Zwischen Leber und Milz passt immer noch ein Pils",
  "Ein Prosit der Gemütlichkeit",
  "Auf alle, die heute hier sind",
  "Wer nicht genießt, wird ungenießbar",
] as const;

/** The topic of flash messages that contain a saying. */
export const sayingTopic = "saying";

/** Message shown after an undo. */
export const undoneText = "Ein Bier zurückgenommen.";
/** Message shown after an undo of a beer that had already been undone, e.g. in another tab. */
export const alreadyUndoneText = "Dieses Bier war schon zurückgenommen.";

/** Returns a saying with an exclamation mark; `random` is in [0, 1). */
export function pickSaying(random: number): string {
  return `${sayings[Math.floor(random * sayings.length)] ?? sayings[0]}!`;
}

/** A beer in the history. */
export interface PastBeer {
  /** Server id; `null` until the beer is booked. */
  readonly id: number | null;
  readonly key: string | null;
  /** Time of the tap in epoch ms. */
  readonly at: number;
  readonly state: "booked" | "late" | "waiting" | "refused";
  readonly kind: BeerKind;
  readonly isRemovable: boolean;
}

/** Lists booked and pending beers without undone beers, newest first. */
export function listPastBeers(own: readonly OwnBeer[], taps: readonly OutboxEntry[]): readonly PastBeer[] {
  const known = new Set(own.map(({ key }) => key));
  const gone = new Set(taps.filter(({ isRecalled }) => isRecalled).map(({ key }) => key));
  const waiting = taps.filter(({ key, isRecalled }) => !isRecalled && !known.has(key));
  return [
    ...waiting.map(({ key, postedAt, isRefused, body }): PastBeer => ({
      id: null,
      key,
      at: postedAt,
      state: isRefused ? "refused" : "waiting",
      kind: tapBody.parse(body ?? {}).kind,
      isRemovable: true,
    })),
    ...own
      .filter(({ key }) => key === null || !gone.has(key))
      .map(({ id, key, at, late, kind, removable_seconds }): PastBeer => ({
        id,
        key,
        kind,
        at: Date.parse(at),
        state: late ? "late" : "booked",
        isRemovable: removable_seconds > 0,
      })),
  ].toSorted((one, other) => other.at - one.at);
}

/**
 * Adds a delivered tap to the known beers, or removes the beer of a delivered undo, until the beers
 * are refetched.
 */
export function applyDelivery(
  own: readonly OwnBeer[],
  { key, postedAt, isRecalled, body }: OutboxEntry,
): readonly OwnBeer[] {
  const others = own.filter((beer) => beer.key !== key);
  if (isRecalled) return others;
  const at = new Date(postedAt).toISOString();
  const { kind } = tapBody.parse(body ?? {});
  return [...others, { id: 0, key, at, late: false, kind, removable_seconds: tapLimits.undo / 1000 }];
}

/** Formats a time as "21:43" if it is today, otherwise as "Fr. 21:43". */
export function formatTime(at: number, now: number, timeZone: string): string {
  const isToday = formatDate(at, "shortDate", timeZone) === formatDate(now, "shortDate", timeZone);
  return formatDate(at, isToday ? "time" : "weekdayAndTime", timeZone).replace(", ", " ");
}

/**
 * Returns a throttled `work`, which runs at once. Calls during a run cause one more run, at the
 * earliest `pause` ms after the start of that run.
 */
export function throttle(work: () => Promise<unknown>, pause: number): () => void {
  let isRunning = false;
  let isRequested = false;
  async function run(): Promise<void> {
    isRunning = true;
    isRequested = false;
    await Promise.all([work().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, pause))]);
    isRunning = false;
    if (isRequested) void run();
  }
  return () => {
    if (isRunning) isRequested = true;
    else void run();
  };
}

import { tapBody, tapLimits, type BeerKind, type OwnBeer } from "#contract/beercounter.ts";
import type { OutboxEntry } from "#web/data/outbox-storage.ts";
import { formatDate } from "#web/ui/german.ts";

/** The messages after the member's own beer; one is picked at random. */
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

/** The topic of flash messages with a saying. */
export const sayingTopic = "saying";

/** The messages after an undo; the second if the beer was already undone, e.g. in another tab. */
export const undoneText = "Ein Bier zurückgenommen.";
export const alreadyUndoneText = "Dieses Bier war schon zurückgenommen.";

/** Returns a saying with its exclamation mark; `random` is in [0, 1). */
export function pickSaying(random: number): string {
  return `${sayings[Math.floor(random * sayings.length)] ?? sayings[0]}!`;
}

/** One line of the history. */
export interface PastBeer {
  /** Of the booked beer; null while it is only a tap. */
  readonly id: number | null;
  readonly key: string | null;
  /** Epoch ms. */
  readonly at: number;
  readonly state: "booked" | "late" | "waiting" | "refused";
  readonly kind: BeerKind;
  readonly isRemovable: boolean;
}

/** Lists booked and pending beers without undone ones, newest first. */
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

/** Adds a delivered entry to the known beers until they are refetched. */
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

/** Formats a time as "21:43" today and as "Fr. 21:43" on other days. */
export function formatTime(at: number, now: number, timeZone: string): string {
  const isToday = formatDate(at, "shortDate", timeZone) === formatDate(now, "shortDate", timeZone);
  return formatDate(at, isToday ? "time" : "weekdayAndTime", timeZone).replace(", ", " ");
}

/**
 * Returns a throttled `work`: it runs at once; requests during a run cause one more run, at the earliest `pause` ms after the
 * last start.
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

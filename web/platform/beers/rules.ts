import { tapBody, tapLimits, type BeerKind, type OwnBeer } from "#contract/beercounter.ts";
import type { OutboxEntry } from "#web/platform/outbox-storage.ts";
import { formatDate } from "#web/ui/german.ts";

/** What is said after one's own beer; one of them at random, with an exclamation mark. */
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

/** What an undo says; the second one where the beer was gone already, say from another tab or phone. */
export const undoneText = "Ein Bier zurückgenommen.";
export const alreadyUndoneText = "Dieses Bier war schon zurückgenommen.";

/** A saying with its exclamation mark; `random` is from 0 up to but not including 1. */
export function pickSaying(random: number): string {
  return `${sayings[Math.floor(random * sayings.length)] ?? sayings[0]}!`;
}

export function isSaying(text: string): boolean {
  return sayings.some((saying) => text === `${saying}!`);
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

/** What the server knows and what is still on its way, without what was taken back; the last beer first. */
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

/** What the server knows after an entry has arrived, until it is loaded again, with the beer's id. */
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

/** "21:43" today, "Fr. 21:43" on another day. */
export function formatTime(at: number, now: number, timeZone: string): string {
  const isToday = formatDate(at, "shortDate", timeZone) === formatDate(now, "shortDate", timeZone);
  return formatDate(at, isToday ? "time" : "weekdayAndTime", timeZone).replace(", ", " ");
}

/**
 * Runs `work` at once. Requests while it runs become one more run afterwards, which starts `pause` ms after the last one
 * began at the earliest: a burst of beers is two loads, not twenty.
 */
export function coalesce(work: () => Promise<unknown>, pause: number): () => void {
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

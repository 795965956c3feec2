import type { GroupYear, OwnYear, ReviewYears, YearReview } from "#contract/year-review.ts";
import { formatAlcoholFree, formatBeers, formatCount, formatDate, formatNumber, weekdays } from "#web/ui/german.ts";

/** Cards of a review in their order: first about the group, then about the member. */
const groupCards = ["total", "stack", "fullest", "longest", "days"] as const;
const ownCards = ["own", "share-of-all", "own-times", "span", "company", "picture"] as const;
export type CardName = "cover" | (typeof groupCards)[number] | (typeof ownCards)[number] | "no-beer" | "ending";

/**
 * Returns the cards of a review. Members without beers get fewer cards; `company` and
 * `share-of-all` appear only if there are data for them.
 */
export function listCards({ own, group }: YearReview): readonly CardName[] {
  if (own === null) return ["cover", ...groupCards, "no-beer", "picture", "ending"];
  const isLeftOut = (card: CardName): boolean =>
    (card === "company" && own.company === null) || (card === "share-of-all" && own.total === group.total);
  return ["cover", ...groupCards, ...ownCards.filter((card) => !isLeftOut(card)), "ending"];
}

/**
 * The pictures to share: the member's year without (`own`) or with the name (`named`), or the
 * group's year.
 */
export type PictureChoice = "own" | "named" | "group";

/** Returns the pictures that a review offers; the first one is preselected. */
export function listPictures({ own }: Pick<YearReview, "own">): readonly PictureChoice[] {
  return own === null ? ["group"] : ["own", "named", "group"];
}

/**
 * Returns the German title of the chapter to which a card belongs; empty for cards outside of both
 * chapters.
 */
export function chapterTitle(card: CardName): string {
  if (card === "cover" || card === "picture" || card === "ending") return "";
  return (groupCards as readonly CardName[]).includes(card) ? "Unser Jahr" : "Dein Jahr";
}

/** Returns the index of the first card about the member's own year. */
export function findOwnChapter(cards: readonly CardName[]): number {
  return cards.findIndex((card) => chapterTitle(card) === "Dein Jahr");
}

/** Start and end of a touch, and the width of the screen, in pixels. */
export interface Move {
  readonly startX: number;
  readonly startY: number;
  readonly endX: number;
  readonly endY: number;
  readonly width: number;
}

/** Returns `true` if the finger moved less than 12 pixels, because fingers tremble during a tap. */
export function isTap({ startX, startY, endX, endY }: Move): boolean {
  return Math.hypot(endX - startX, endY - startY) < 12;
}

/** Returns the step that a tap or a swipe requests: -1 is back, 1 is forward, 0 is none. */
export function gestureStep(move: Move): -1 | 0 | 1 {
  const across = move.endX - move.startX;
  const down = move.endY - move.startY;
  if (isTap(move)) return move.endX < move.width / 2 ? -1 : 1;
  if (Math.abs(across) < 40 || Math.abs(across) < Math.abs(down)) return 0;
  return across > 0 ? -1 : 1;
}

/** Returns the text shown while no year has a review. */
export function noReviewYetText(today: string): string {
  return today.slice(5) >= "12-01"
    ? "Sobald der erste Strich des Jahres auf dem Deckel ist, gibt es hier etwas zu erzählen."
    : `Am 1. Dezember ${today.slice(0, 4)} macht er auf. Bis dahin sammeln wir Striche.`;
}

/** Returns the text below a year in the archive: complete, or counted until today. */
export function yearStateText({ final }: ReviewYears["years"][number]): string {
  return final ? "das ganze Jahr" : "bis heute";
}

export function formatDays(count: number): string {
  return formatCount(count, "Tag", "Tage");
}

/**
 * Returns the sentences about alcohol-free beers and the previous year's total, without a judgment.
 */
export function previousYearText({ previous_total: total, alcohol_free }: GroupYear, year: number): string {
  const before =
    total === 0
      ? "Es ist das erste Jahr auf unseren Deckeln."
      : `${year - 1} ${total === 1 ? "war" : "waren"} es ${formatBeers(total)}.`;
  return alcohol_free === 0 ? before : `D${formatAlcoholFree(alcohol_free)!.slice(1)}. ${before}`;
}

/** Thickness of a beer mat in meters. */
const matThickness = 0.0014;

/**
 * Returns the height of a tower of beer mats, e.g. "1,76 m"; in centimeters if it is lower than a
 * meter.
 */
export function formatTowerHeight(mats: number): string {
  const metres = mats * matThickness;
  return metres < 1 ? `${formatNumber(Math.max(1, Math.round(metres * 100)))} cm` : `${formatNumber(metres)} m`;
}

const bottlesPerCrate = 20;

export function countCrates(bottles: number): { crates: number; rest: number } {
  return { crates: Math.floor(bottles / bottlesPerCrate), rest: bottles % bottlesPerCrate };
}

/**
 * Returns the number of full crates and of remaining bottles, e.g. "62 Kisten" and "und 19
 * Flaschen".
 */
export function cratesTexts(bottles: number): { crates: string; rest: string } {
  const { crates, rest } = countCrates(bottles);
  if (crates === 0) return { crates: "Eine Kiste", rest: "und noch nicht einmal voll" };
  const over =
    rest === 0 ? "voll bis auf die letzte Flasche" : `und ${rest === 1 ? "eine Flasche" : `${rest} Flaschen`}`;
  return { crates: formatCount(crates, "Kiste", "Kisten"), rest: over };
}

/** German names of the months, starting with January. */
export const months = Array.from({ length: 12 }, (_, index) => formatDate(Date.UTC(2026, index), "month", "UTC"));

/** Returns the German name of a month, e.g. "August" for 8. */
export function monthName(month: number): string {
  return months[month - 1] ?? "";
}

/** Returns the German adverb of a weekday, e.g. "freitags" for 4; Monday is 0. */
export function onWeekdays(weekday: number): string {
  return `${weekdays[weekday]?.toLocaleLowerCase("de")}s`;
}

/** Formats a date such as `2026-08-15` as "15. August". */
export function formatDayAndMonth(day: string): string {
  return formatDate(day, "day", "UTC");
}

/** Returns the German weekday of a date, e.g. "Samstag" for `2026-08-15`. */
export function weekdayName(day: string): string {
  return formatDate(day, "weekday", "UTC");
}

/**
 * Formats the time between two dates, e.g. "4. bis 27. März" or "28. Februar bis 3. März"; a single
 * date if both are equal.
 */
export function formatSpan(from: string, to: string): string {
  if (from === to) return formatDayAndMonth(from);
  const start = from.slice(0, 7) === to.slice(0, 7) ? `${Number(from.slice(8))}.` : formatDayAndMonth(from);
  return `${start} bis ${formatDayAndMonth(to)}`;
}

/**
 * Returns into how many equal slices the group's beers are cut, so that one slice is about the
 * member's share.
 */
export function countSlices(own: OwnYear, group: GroupYear): number {
  return Math.max(1, Math.round(group.total / own.total));
}

const ordinals = [
  "zweite",
  "dritte",
  "vierte",
  "fünfte",
  "sechste",
  "siebte",
  "achte",
  "neunte",
  "zehnte",
  "elfte",
  "zwölfte",
];

/**
 * Returns the member's share of the group's beers in words, e.g. "Etwa jedes achte Bier am Tisch
 * war deins."
 */
export function shareText(slices: number): string {
  if (slices === 1) return "Fast jedes Bier am Tisch war deins.";
  return `Etwa jedes ${ordinals[slices - 2] ?? `${formatNumber(slices)}.`} Bier am Tisch war deins.`;
}

/**
 * Returns the texts below the number in the member's picture. They are also the alternative text of
 * the picture.
 */
export function pictureLines({ weekday, month, first }: OwnYear): readonly string[] {
  return [
    `am liebsten ${onWeekdays(weekday)}`,
    `am häufigsten im ${monthName(month)}`,
    `das erste am ${formatDayAndMonth(first)}`,
  ];
}

/** Returns the texts below the number in the group's picture, which names no members. */
export function groupPictureLines({ days, weekday, month }: GroupYear): readonly string[] {
  return [
    `an ${formatCount(days.length, "Tag", "Tagen")} war jemand da`,
    `am liebsten ${onWeekdays(weekday)}`,
    `am häufigsten im ${monthName(month)}`,
  ];
}

import type { GroupYear, OwnYear, ReviewYears, YearReview } from "#contract/year-review.ts";
import {
  formatAlcoholFree,
  formatBeers,
  formatCount,
  formatDate,
  formatDay,
  formatNumber,
  weekdays,
} from "#web/ui/german.ts";

const groupCards = ["total", "stack", "fullest", "longest", "days"] as const;
const ownCards = ["own", "share-of-all", "own-times", "span", "company", "photos", "picture"] as const;
export type CardName = "cover" | (typeof groupCards)[number] | (typeof ownCards)[number] | "no-beer" | "ending";

export function listCards({ own, group, photos }: YearReview): readonly CardName[] {
  const isLeftOut = (card: CardName): boolean =>
    (card === "company" && own?.company === null) ||
    (card === "share-of-all" && own?.total === group.total) ||
    (card === "photos" && photos.length === 0);
  const cards: readonly CardName[] = own === null ? ["no-beer", "photos", "picture"] : ownCards;
  return ["cover", ...groupCards, ...cards.filter((card) => !isLeftOut(card)), "ending"];
}

/** The member's year without (`own`) or with (`named`) the name, or the group's. */
export type PictureChoice = "own" | "named" | "group";

/** Lists the preselected picture first. */
export function listPictures({ own }: Pick<YearReview, "own">): readonly PictureChoice[] {
  return own === null ? ["group"] : ["own", "named", "group"];
}

/** Returns "" outside of both chapters. */
export function chapterTitle(card: CardName): string {
  if (card === "cover" || card === "picture" || card === "ending") return "";
  return (groupCards as readonly CardName[]).includes(card) ? "Unser Jahr" : "Dein Jahr";
}

export function findOwnChapter(cards: readonly CardName[]): number {
  return cards.findIndex((card) => chapterTitle(card) === "Dein Jahr");
}

export function noReviewYetText(today: string): string {
  return today.slice(5) >= "12-01"
    ? "Sobald der erste Strich des Jahres auf dem Deckel ist, gibt es hier etwas zu erzählen."
    : `Am 1. Dezember ${today.slice(0, 4)} macht er auf. Bis dahin sammeln wir Striche.`;
}

export function yearStateText({ final }: ReviewYears["years"][number]): string {
  return final ? "das ganze Jahr" : "bis heute";
}

export function formatDays(count: number): string {
  return formatCount(count, "Tag", "Tage");
}

/** Avoids a judgment. */
export function previousYearText({ previous_total: total, alcohol_free }: GroupYear, year: number): string {
  const before =
    total === 0
      ? "Es ist das erste Jahr auf unseren Deckeln."
      : `${year - 1} ${total === 1 ? "war" : "waren"} es ${formatBeers(total)}.`;
  return alcohol_free === 0 ? before : `D${formatAlcoholFree(alcohol_free)!.slice(1)}. ${before}`;
}

const matMeters = 0.0014;

/** Returns "1,76 m" or "14 cm". */
export function formatTowerHeight(mats: number): string {
  const meters = mats * matMeters;
  return meters < 1 ? `${formatNumber(Math.max(1, Math.round(meters * 100)))} cm` : `${formatNumber(meters)} m`;
}

const bottlesPerCrate = 20;

export function countCrates(bottles: number): { crates: number; rest: number } {
  return { crates: Math.floor(bottles / bottlesPerCrate), rest: bottles % bottlesPerCrate };
}

/** Returns "62 Kisten" and "und 19 Flaschen". */
export function cratesTexts(bottles: number): { crates: string; rest: string } {
  const { crates, rest } = countCrates(bottles);
  if (crates === 0) return { crates: "Eine Kiste", rest: "und noch nicht einmal voll" };
  const over =
    rest === 0 ? "voll bis auf die letzte Flasche" : `und ${rest === 1 ? "eine Flasche" : `${rest} Flaschen`}`;
  return { crates: formatCount(crates, "Kiste", "Kisten"), rest: over };
}

export const months = Array.from({ length: 12 }, (_, index) => formatDate(Date.UTC(2026, index), "month", "UTC"));

/** Takes 1 for January. */
export function monthName(month: number): string {
  return months[month - 1] ?? "";
}

/** Takes 0 for Monday. */
export function onWeekdays(weekday: number): string {
  return `${weekdays[weekday]?.toLocaleLowerCase("de")}s`;
}

/** Returns "4. bis 27. März", "28. Februar bis 3. März" or "4. März". */
export function formatSpan(from: string, to: string): string {
  if (from === to) return formatDay(from, "day");
  const start = from.slice(0, 7) === to.slice(0, 7) ? `${Number(from.slice(8))}.` : formatDay(from, "day");
  return `${start} bis ${formatDay(to, "day")}`;
}

/** Cuts the group's beers into slices, of which one is about the member's share. */
export function countSlices(own: OwnYear, group: GroupYear): number {
  return Math.max(1, Math.round(group.total / own.total));
}

const ordinals = "zweite dritte vierte fünfte sechste siebte achte neunte zehnte elfte zwölfte".split(" ");

/** Returns "Etwa jedes achte Bier am Tisch war deins." */
export function shareText(slices: number): string {
  if (slices === 1) return "Fast jedes Bier am Tisch war deins.";
  return `Etwa jedes ${ordinals[slices - 2] ?? `${formatNumber(slices)}.`} Bier am Tisch war deins.`;
}

/** Returns the lines in the picture, also for its alternative text. */
export function pictureLines({ weekday, month, first }: OwnYear): readonly string[] {
  return [
    `am liebsten ${onWeekdays(weekday)}`,
    `am häufigsten im ${monthName(month)}`,
    `das erste am ${formatDay(first, "day")}`,
  ];
}

/** Returns lines without names of members. */
export function groupPictureLines({ days, weekday, month }: GroupYear): readonly string[] {
  return [
    `an ${formatCount(days.length, "Tag", "Tagen")} war jemand da`,
    `am liebsten ${onWeekdays(weekday)}`,
    `am häufigsten im ${monthName(month)}`,
  ];
}

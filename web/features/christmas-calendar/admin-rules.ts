import type { ManagedCalendar } from "#contract/calendar-doors.ts";
import type { DealingPreview } from "#contract/calendar-lottery.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import { formatList } from "#web/ui/german.ts";

/**
 * Returns the day in December that a file name contains, e.g. 7 for "07.jpg", "tuer-7.png" or "Bild
 * 7 (Kopie).jpg"; `null` if it contains none or several.
 */
export function findDoorInName(name: string): number | null {
  const numbers = name.replace(/\.[^.]*$/, "").match(/\d+/g) ?? [];
  const doors = numbers.filter((digits) => digits.length <= 2).map(Number);
  const [door] = doors;
  return doors.length === 1 && door !== undefined && door >= 1 && door <= 24 ? door : null;
}

/** A calendar door with the data that administrators see. */
export type CalendarDay = ManagedCalendar["days"][number];

/** Returns `true` if the door is assigned to a member other than this administrator. */
export function isOthers({ owner }: CalendarDay, userId: number): boolean {
  return owner !== null && owner.id !== userId;
}

export interface PlannedPicture<Named> {
  readonly door: number;
  readonly file: Named;
}

/**
 * Several picked pictures with the doors to which they will be uploaded; `plan` has those for empty
 * doors without a member.
 */
export interface PicturePlan<Named> {
  readonly plan: readonly PlannedPicture<Named>[];
  /** Pictures planned for doors that already have a picture. */
  readonly replacing: readonly PlannedPicture<Named>[];
  /** Pictures planned for doors that are assigned to members. These pictures are never uploaded. */
  readonly owned: readonly PlannedPicture<Named>[];
  /** Pictures for which no free door is left. */
  readonly leftOver: readonly Named[];
}

/**
 * Assigns a door to each file: the door whose number is in the file name, or else the next door
 * that has neither a picture nor a member.
 */
export function planPictures<Named extends { readonly name: string }>(
  files: readonly Named[],
  days: readonly Pick<CalendarDay, "is_filled" | "owner">[],
): PicturePlan<Named> {
  const named = new Map<number, Named>();
  const rest: Named[] = [];
  for (const file of files.toSorted((one, other) => one.name.localeCompare(other.name, "de", { numeric: true }))) {
    const door = findDoorInName(file.name);
    if (door !== null && !named.has(door)) named.set(door, file);
    else rest.push(file);
  }
  const stateOf = (door: number) => {
    const { owner, is_filled } = days[door - 1]!;
    return owner !== null ? "owned" : is_filled ? "filled" : "free";
  };
  const free = days.map((_, index) => index + 1).filter((door) => stateOf(door) === "free" && !named.has(door));
  const placed = rest.slice(0, free.length).map((file, index) => ({ door: free[index]!, file }));
  const wanted = [...[...named].map(([door, file]) => ({ door, file })), ...placed];
  const inState = (state: string) =>
    wanted.filter(({ door }) => stateOf(door) === state).toSorted((one, other) => one.door - other.door);
  return {
    plan: inState("free"),
    replacing: inState("filled"),
    owned: inState("owned"),
    leftOver: rest.slice(free.length),
  };
}

/**
 * Returns the question asked before pictures are replaced. The upload to empty doors does not
 * depend on the answer.
 */
export function describeReplacing(doors: readonly number[]): { title: string; text: string } {
  if (doors.length === 1)
    return {
      title: "Bild ersetzen?",
      text: `Hinter Türchen ${doors[0]} hängt schon ein Bild. Brichst du ab, bleibt es hängen.`,
    };
  const list = `${doors.slice(0, -1).join(", ")} und ${doors.at(-1)}`;
  return {
    title: `${doors.length} Bilder ersetzen?`,
    text: `Hinter den Türchen ${list} hängen schon Bilder. Brichst du ab, bleiben sie hängen.`,
  };
}

/**
 * Describes how swapping two doors affects other members to whom the doors are assigned; `null` if
 * it affects none.
 */
export function describeMove(from: CalendarDay, to: CalendarDay, userId: number): string | null {
  const told = [from, to].filter((day) => isOthers(day, userId));
  if (told.length === 0) return null;
  const moves = told.map((day) => {
    const other = day === from ? to : from;
    return `Türchen ${dayNumber(day.date)} gehört ${day.owner!.name} und wird Türchen ${dayNumber(other.date)}.`;
  });
  const names = [...new Set(told.map(({ owner }) => owner!.name))];
  return `${moves.join(" ")} ${names.join(" und ")} ${names.length === 1 ? "erfährt" : "erfahren"} davon.`;
}

/** Returns how many of the picked pictures are uploaded, e.g. "1 von 5 Bildern hängt". */
export function describeUploaded(done: number, total: number): string {
  const pictures = total === 1 ? "Bild" : "Bildern";
  const hang = done === 1 || total === 1 ? "hängt" : "hängen";
  return `${done} von ${total} ${pictures} ${hang}`;
}

/** Returns a sentence with the number of doors that have a picture. */
export function describeFilled(filled: number): string {
  if (filled === 24) return "Alle 24 Türchen sind voll.";
  return `${filled} von 24 Türchen ${filled === 1 ? "ist" : "sind"} voll.`;
}

/** Returns a sentence with the numbers of free doors and of members in a lottery. */
export function describeLottery(doors: number, members: number): string {
  const among = members === 1 ? "an dich allein" : `unter ${members} Mitgliedern`;
  return doors === 1 ? `1 leeres Türchen wird ${among} verlost.` : `${doors} leere Türchen werden ${among} verlost.`;
}

/** Returns a sentence about the members to whom no door is assigned. */
export function describeWithout(names: readonly string[]): string {
  const [first] = names;
  if (names.length === 1) return `${first} hat noch kein Türchen.`;
  if (names.length <= 3) return `${formatList(names)} haben noch kein Türchen.`;
  return `${names.length} Mitglieder haben noch kein Türchen.`;
}

/** Joins door numbers for a sentence, e.g. "7 und 19". */
function listDoors(doors: readonly { readonly date: string }[]): string {
  return formatList(doors.map(({ date }) => String(dayNumber(date))));
}

/**
 * Describes the result of a lottery run for each member who gets doors, e.g. "Mia bekommt Türchen 7
 * und 19" and "von Ben 7, von Carla 19".
 */
export function describeMoves(
  doors: DealingPreview["doors"],
): { readonly id: number; readonly gets: string; readonly from: string | null }[] {
  return [...Map.groupBy(doors, ({ to }) => to.id)].map(([id, got]) => {
    const givers = Map.groupBy(
      got.filter(({ from }) => from !== null),
      ({ from }) => from!.id,
    );
    const parts = [...givers.values()].map((given) => {
      const giver = `von ${given[0]!.from!.name}`;
      return got.length === 1 ? giver : `${giver} ${listDoors(given)}`;
    });
    return {
      id,
      gets: `${got[0]!.to.name} bekommt Türchen ${listDoors(got)}`,
      from: parts.length === 0 ? null : parts.join(", "),
    };
  });
}

import type { ManagedCalendar } from "#contract/calendar-doors.ts";
import type { DealingPreview } from "#contract/calendar-lottery.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import { formatList } from "#web/ui/german.ts";

/** Returns 7 for "07.jpg", "tuer-7.png" or "Bild 7 (Kopie).jpg"; `null` for no or several days in December. */
export function findDoorInName(name: string): number | null {
  const numbers = name.replace(/\.[^.]*$/, "").match(/\d+/g) ?? [];
  const doors = numbers.filter((digits) => digits.length <= 2).map(Number);
  const [door] = doors;
  return doors.length === 1 && door !== undefined && door >= 1 && door <= 24 ? door : null;
}

export type CalendarDay = ManagedCalendar["days"][number];

export function isOthers({ owner, is_secret: isSecret }: CalendarDay, userId: number): boolean {
  return isSecret || (owner !== null && owner.id !== userId);
}

export function hasOwner({ owner, is_secret: isSecret }: Pick<CalendarDay, "owner" | "is_secret">): boolean {
  return isSecret || owner !== null;
}

interface PlannedPicture<Named> {
  readonly door: number;
  readonly file: Named;
}

interface PicturePlan<Named> {
  /** Pictures for empty doors without an owner. */
  readonly plan: readonly PlannedPicture<Named>[];
  /** Pictures for doors that have one. */
  readonly replacing: readonly PlannedPicture<Named>[];
  /** Pictures for doors of members, never uploaded. */
  readonly owned: readonly PlannedPicture<Named>[];
  /** Pictures without a free door. */
  readonly leftOver: readonly Named[];
}

/** Takes the door in the file's name, or else the next one without picture and owner. */
export function planPictures<Named extends { readonly name: string }>(
  files: readonly Named[],
  days: readonly Pick<CalendarDay, "is_filled" | "owner" | "is_secret">[],
): PicturePlan<Named> {
  const named = new Map<number, Named>();
  const rest: Named[] = [];
  for (const file of files.toSorted((one, other) => one.name.localeCompare(other.name, "de", { numeric: true }))) {
    const door = findDoorInName(file.name);
    if (door !== null && !named.has(door)) named.set(door, file);
    else rest.push(file);
  }
  const stateOf = (door: number) => {
    const day = days[door - 1]!;
    return hasOwner(day) ? "owned" : day.is_filled ? "filled" : "free";
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

/** Returns `null` if a swap affects no other member. */
export function describeMove(from: CalendarDay, to: CalendarDay, userId: number): string | null {
  const told = [from, to].filter((day) => isOthers(day, userId));
  if (told.length === 0) return null;
  const moves = told.map((day) => {
    const other = day === from ? to : from;
    return `Türchen ${dayNumber(day.date)} gehört ${day.owner?.name ?? "einem Mitglied"} und wird Türchen ${dayNumber(other.date)}.`;
  });
  const names = [...new Set(told.map(({ owner }) => owner?.name ?? "Das Mitglied"))];
  return `${moves.join(" ")} ${names.join(" und ")} ${names.length === 1 ? "erfährt" : "erfahren"} davon.`;
}

/** The reason is a German sentence. */
export interface Missing {
  readonly name: string;
  readonly text: string;
}

/** Returns "1 von 3 Bildern hängt. 1.jpg, 2.jpg: Größer als 15 MB." */
export function describeUploads(done: number, total: number, missing: readonly Missing[]): string {
  const pictures = total === 1 ? "Bild" : "Bildern";
  const hang = done === 1 || total === 1 ? "hängt" : "hängen";
  const reasons = [...Map.groupBy(missing, ({ text }) => text)].map(
    ([text, files]) => `${files.map(({ name }) => name).join(", ")}: ${text}`,
  );
  return [total === 0 ? "Kein Bild aufgehängt." : `${done} von ${total} ${pictures} ${hang}.`, ...reasons].join(" ");
}

export function describeFilled(filled: number): string {
  if (filled === 24) return "Alle 24 Türchen sind voll.";
  return `${filled} von 24 Türchen ${filled === 1 ? "ist" : "sind"} voll.`;
}

export function describeLottery(doors: number, members: number): string {
  const among = members === 1 ? "an dich allein" : `unter ${members} Mitgliedern`;
  return doors === 1 ? `1 leeres Türchen wird ${among} verlost.` : `${doors} leere Türchen werden ${among} verlost.`;
}

export function describeWithout(names: readonly string[]): string {
  const [first] = names;
  if (names.length === 1) return `${first} hat noch kein Türchen.`;
  if (names.length <= 3) return `${formatList(names)} haben noch kein Türchen.`;
  return `${names.length} Mitglieder haben noch kein Türchen.`;
}

export function describeSecretMoves(doors: number): string {
  const doorsGo = doors === 1 ? "1 leeres Türchen geht" : `${doors} leere Türchen gehen`;
  return `${doorsGo} an die, die am wenigsten haben. Wer das ist, bleibt eine Überraschung.`;
}

function listDoors(doors: readonly { readonly date: string }[]): string {
  return formatList(doors.map(({ date }) => String(dayNumber(date))));
}

/** Returns "Mia bekommt Türchen 7 und 19" and "von Ben 7, von Carla 19", per member. */
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

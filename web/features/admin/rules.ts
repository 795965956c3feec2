import type { ManagedCalendar } from "#contract/admin-calendar.ts";
import type { driverKinds, queryKinds } from "#contract/admin-game-servers.ts";
import type { ManagedMember } from "#contract/admin-members.ts";
import type { DealingPreview } from "#contract/calendar-lottery.ts";
import type { Permission } from "#contract/endpoint.ts";
import { formatDate, formatList } from "#web/ui/german.ts";

type DriverKind = (typeof driverKinds)[number];
type QueryKind = (typeof queryKinds)[number];

/** The names of the permissions, and what their holders may do. */
export const permissionLabels: Record<Permission, { label: string; badge: string; hint: string }> = {
  "see-game-servers": {
    label: "Game-Server sehen",
    badge: "sieht Server",
    hint: "Sieht, was läuft und wer spielt.",
  },
  "toggle-game-servers": {
    label: "Game-Server schalten",
    badge: "schaltet Server",
    hint: "Darf sie starten und herunterfahren.",
  },
  admin: {
    label: "Verwaltung",
    badge: "Verwaltung",
    hint: "Darf alles, was auf diesen Seiten steht, auch Rechte vergeben.",
  },
};

/** The permissions after one was switched. Starting game servers needs seeing them, so these two change together. */
export function togglePermission(held: readonly Permission[], permission: Permission, isOn: boolean): Permission[] {
  const partner = isOn
    ? permission === "toggle-game-servers" && "see-game-servers"
    : permission === "see-game-servers" && "toggle-game-servers";
  const others = held.filter((one) => one !== permission && one !== partner);
  if (!isOn) return others;
  return partner ? [...others, partner, permission] : [...others, permission];
}

type Findable = Pick<ManagedMember, "name" | "uname" | "email" | "disabled">;

/** Those whose name, user name or address contains every word; by name, locked ones last. */
export function filterMembers<Member extends Findable>(members: readonly Member[], search: string): Member[] {
  const words = normalize(search).split(/\s+/).filter(Boolean);
  return members
    .filter(({ name, uname, email }) => words.every((word) => normalize(`${name} ${uname} ${email}`).includes(word)))
    .toSorted(
      (one, other) => Number(one.disabled) - Number(other.disabled) || one.name.localeCompare(other.name, "de"),
    );
}

function normalize(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLocaleLowerCase("de");
}

/** The day of December in an ISO date. */
export function dayOf(date: string): number {
  return Number(date.slice(-2));
}

/** The day of December in a file's name: "07.jpg", "tuer-7.png", "Bild 7 (Kopie).jpg"; null where there is none or several. */
export function findDoorInName(name: string): number | null {
  const numbers = name.replace(/\.[^.]*$/, "").match(/\d+/g) ?? [];
  const doors = numbers.filter((digits) => digits.length <= 2).map(Number);
  const [door] = doors;
  return doors.length === 1 && door !== undefined && door >= 1 && door <= 24 ? door : null;
}

/** A door of the calendar as administrators see it. */
export type CalendarDay = ManagedCalendar["days"][number];

/** Returns whether somebody else than this administrator fills the door. */
export function isOthers({ owner }: CalendarDay, userId: number): boolean {
  return owner !== null && owner.id !== userId;
}

export interface PlannedPicture<Named> {
  readonly door: number;
  readonly file: Named;
}

/** The doors for pictures that were picked together. */
export interface PicturePlan<Named> {
  readonly plan: readonly PlannedPicture<Named>[];
  /** Pictures whose doors have one already. */
  readonly replacing: readonly PlannedPicture<Named>[];
  /** Pictures for doors that members fill: they are never touched. */
  readonly owned: readonly PlannedPicture<Named>[];
  /** Pictures that find no free door. */
  readonly leftOver: readonly Named[];
}

/**
 * Plans which file hangs behind which door: the one in its name; the others, in the order of their names, behind the doors that are
 * empty and that no member fills.
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

/** The question before pictures are replaced; the other ones are hung in any case. */
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

/** Describes the effect of a move on other members who fill the doors; `null` without such members. */
export function describeMove(from: CalendarDay, to: CalendarDay, userId: number): string | null {
  const told = [from, to].filter((day) => isOthers(day, userId));
  if (told.length === 0) return null;
  const moves = told.map((day) => {
    const other = day === from ? to : from;
    return `Türchen ${dayOf(day.date)} gehört ${day.owner!.name} und wird Türchen ${dayOf(other.date)}.`;
  });
  const names = [...new Set(told.map(({ owner }) => owner!.name))];
  return `${moves.join(" ")} ${names.join(" und ")} ${names.length === 1 ? "erfährt" : "erfahren"} davon.`;
}

/** How many of the pictures that were picked hang, e.g. "1 von 5 Bildern hängt". */
export function describeHung(done: number, total: number): string {
  const pictures = total === 1 ? "Bild" : "Bildern";
  const hang = done === 1 || total === 1 ? "hängt" : "hängen";
  return `${done} von ${total} ${pictures} ${hang}`;
}

/** How many of the calendar doors have a picture. */
export function describeFilled(filled: number): string {
  if (filled === 24) return "Alle 24 Türchen sind voll.";
  return `${filled} von 24 Türchen ${filled === 1 ? "ist" : "sind"} voll.`;
}

/** What a lottery of the calendar's doors would do. */
export function describeLottery(doors: number, members: number): string {
  const among = members === 1 ? "an dich allein" : `unter ${members} Mitgliedern`;
  return doors === 1 ? `1 leeres Türchen wird ${among} verlost.` : `${doors} leere Türchen werden ${among} verlost.`;
}

/** Names the members without a door in a dealt calendar. */
export function describeWithout(names: readonly string[]): string {
  const [first] = names;
  if (names.length === 1) return `${first} hat noch kein Türchen.`;
  if (names.length <= 3) return `${formatList(names)} haben noch kein Türchen.`;
  return `${names.length} Mitglieder haben noch kein Türchen.`;
}

/** Door numbers in a sentence: "7 und 19". */
function listDoors(doors: readonly { readonly date: string }[]): string {
  return formatList(doors.map(({ date }) => String(dayOf(date))));
}

/** Describes a new dealing by the member who gets doors: "Mia bekommt Türchen 7 und 19", "von Ben 7, von Carla 19". */
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

/** The list with the item at `from` moved by one place, up (-1) or down (1). */
export function moveItem<Item>(items: readonly Item[], from: number, by: -1 | 1): Item[] {
  const to = from + by;
  if (to < 0 || to >= items.length) return [...items];
  return items.with(from, items[to]!).with(to, items[from]!);
}

/** Lines of a list under the days they belong to, in the order they have. */
export function groupByDay<Entry extends { readonly at: string }>(entries: readonly Entry[]): [day: string, Entry[]][] {
  return [...Map.groupBy(entries, ({ at }) => formatDate(at, "date"))];
}

/** How a server is started, in front of what is started. */
export const driverLabels: Record<DriverKind, string> = {
  docker: "Container",
  unit: "Dienst",
  script: "Skript",
  command: "Programm",
};

/** The commands that add a server which cannot be added here, by its kind. */
export const addCommands: Record<Exclude<DriverKind, "docker">, string> = {
  unit: "bin/stammtisch game-server add NAME --unit DIENST",
  script: "bin/stammtisch game-server add NAME --script DATEI",
  command: "bin/stammtisch game-server add NAME --command 'PROGRAMM ARGUMENTE'",
};

export const queryLabels: Record<QueryKind, string> = {
  none: "gar nicht",
  minecraft: "Minecraft",
  source: "wie bei Steam (z. B. Counter-Strike, Valheim)",
  quake3: "wie bei Quake 3 (z. B. OpenArena, Xonotic)",
};

/** What an optional field holds: null for nothing. */
export function textOrNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

export function numberOrNull(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

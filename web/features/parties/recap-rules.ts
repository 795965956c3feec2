import type { PartyRecap } from "#contract/party-recap.ts";
import type { ShownParty } from "#contract/party.ts";
import { formatSum } from "#web/features/beers/party-rules.ts";
import { formatDate, formatList, formatTimeOfDay } from "#web/ui/german.ts";
import { formatEverybody } from "./rules.ts";

export function listCounts({ quarters }: PartyRecap): readonly number[] {
  return quarters.map(({ total }) => total);
}

interface CurveLabel {
  /** Index of a quarter of an hour. */
  readonly quarter: number;
  readonly text: string;
}

const mostLabels = 6;
const hourLength = 4;

export function listHourLabels({ quarters }: PartyRecap, timeZone: string): readonly CurveLabel[] {
  const hours = quarters.flatMap(({ at }, quarter) => {
    const time = formatDate(at, "time", timeZone);
    return time.endsWith(":00") ? [{ quarter, text: time.slice(0, 2) }] : [];
  });
  const step = Math.ceil(hours.length / mostLabels);
  const shown = hours.filter((_, index) => index % step === 0);
  // Without a full hour such as 22:00, only the start.
  return shown.length > 0 || !quarters[0]
    ? shown
    : [{ quarter: 0, text: formatDate(quarters[0].at, "time", timeZone) }];
}

/** Lists also hours without beers. */
export function describeHours({ quarters }: PartyRecap, timeZone: string): readonly { at: string; text: string }[] {
  const sums = new Map<number, { total: number; guest_total: number }>();
  for (const { at, total, guest_total } of quarters) {
    const hour = Math.floor(Date.parse(at) / (hourLength * 15 * 60_000));
    const sum = sums.get(hour) ?? { total: 0, guest_total: 0 };
    sums.set(hour, { total: sum.total + total, guest_total: sum.guest_total + guest_total });
  }
  return [...sums].map(([hour, sum]) => {
    const at = new Date(hour * hourLength * 15 * 60_000).toISOString();
    return { at, text: `ab ${formatTimeOfDay(at, timeZone)}: ${formatSum(sum)}` };
  });
}

/** Returns `null` if no quarter stands out. */
export function findBusiestQuarter({ quarters, busiest }: PartyRecap): number | null {
  return busiest === null ? null : quarters.findIndex(({ at }) => at === busiest.from);
}

interface Moment {
  readonly label: string;
  readonly at: string;
  readonly name: string | null;
}

/** Returns the first and the last beer. */
export function listMoments({ first, last }: PartyRecap, total: number): readonly Moment[] {
  if (total === 1) return [{ label: "Das einzige Bier", ...first }];
  return [
    { label: "Das erste Bier", ...first },
    { label: "Das letzte Bier", ...last },
  ];
}

export function describeBusiest({ from, to, ...sum }: NonNullable<PartyRecap["busiest"]>, timeZone: string): string {
  return `Am meisten los war zwischen ${formatDate(from, "time", timeZone)} und ${formatTimeOfDay(to, timeZone)}: ${formatSum(sum)}`;
}

/** Returns the lines below the curve, also for the alternative text. */
export function recapPictureLines(party: ShownParty, hasNames: boolean): readonly string[] {
  const everybody = formatEverybody(party);
  if (!hasNames || party.users.length === 0) return [everybody];
  const winner = findWinner(party);
  return [everybody, ...(winner === undefined ? [] : [`Vorn: ${winner.name}`]), listNames(party, winner)];
}

/** Returns `undefined` for a tie, and for a single member. */
function findWinner({ users, others }: ShownParty): ShownParty["users"][number] | undefined {
  const most = Math.max(...users.map(({ beercounter_entries_count: beers }) => beers));
  const leaders = users.filter(({ beercounter_entries_count: beers }) => beers === most);
  return leaders.length === 1 && users.length + others > 1 ? leaders[0] : undefined;
}

const mostNames = 8;

function listNames({ users, others }: ShownParty, winner: ShownParty["users"][number] | undefined): string {
  const names = users.filter((user) => user !== winner).map(({ name }) => name);
  names.sort((one, other) => one.localeCompare(other, "de"));
  const mostShown = winner === undefined ? mostNames : mostNames - 1;
  const shown = names.length + others > mostShown ? names.slice(0, mostShown - 1) : names;
  const left = names.length - shown.length + others;
  return `mit ${formatList(left === 0 ? shown : [...shown, left === 1 ? "einer weiteren Person" : `${left} weiteren`])}`;
}

const friendsPerCard = 6;
const photosPerCard = 4;

/** A part of the story of a party. */
export type StoryPart =
  | { readonly kind: "cover" | "picture" }
  | { readonly kind: "curve" | "moments"; readonly recap: PartyRecap }
  | { readonly kind: "round"; readonly round: NonNullable<PartyRecap["round"]> }
  | { readonly kind: "friends"; readonly friends: ShownParty["users"] }
  | { readonly kind: "photos"; readonly photos: ShownParty["photos"] };

/** The viewer's own mat comes first, then the others' by name. */
export function listStoryParts(
  { recap, users, photos }: ShownParty,
  viewerId: number | undefined,
): readonly StoryPart[] {
  const friends = users.toSorted(
    (one, other) =>
      Number(other.id === viewerId) - Number(one.id === viewerId) || one.name.localeCompare(other.name, "de"),
  );
  return [
    { kind: "cover" },
    ...(recap === null
      ? []
      : [
          { kind: "curve" as const, recap },
          { kind: "moments" as const, recap },
        ]),
    ...(recap?.round ? [{ kind: "round" as const, round: recap.round }] : []),
    ...chunk(friends, friendsPerCard).map((some) => ({ kind: "friends" as const, friends: some })),
    ...chunk(photos, photosPerCard).map((some) => ({ kind: "photos" as const, photos: some })),
    ...(recap === null ? [] : [{ kind: "picture" as const }]),
  ];
}

/** Splits into parts of nearly equal length. */
function chunk<Item>(items: readonly Item[], most: number): Item[][] {
  const count = Math.ceil(items.length / most);
  return Array.from({ length: count }, (_, part) =>
    items.slice(Math.round((part * items.length) / count), Math.round(((part + 1) * items.length) / count)),
  );
}

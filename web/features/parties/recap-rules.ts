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

export const busiestLabel = "Am meisten los";

interface RecapFact {
  readonly label: string;
  readonly text: string;
}

export function listFacts({ busiest, first, last }: PartyRecap, total: number, timeZone: string): readonly RecapFact[] {
  const describe = ({ at, name }: PartyRecap["first"]): string =>
    [formatTimeOfDay(at, timeZone), name].filter((part) => part !== null).join(", ");
  if (total === 1) return [{ label: "Das einzige Bier", text: describe(first) }];
  return [
    ...(busiest === null ? [] : [{ label: busiestLabel, text: describeBusiest(busiest, timeZone) }]),
    { label: "Das erste Bier", text: describe(first) },
    { label: "Das letzte Bier", text: describe(last) },
  ];
}

function describeBusiest({ from, to, ...sum }: NonNullable<PartyRecap["busiest"]>, timeZone: string): string {
  return `Zwischen ${formatDate(from, "time", timeZone)} und ${formatTimeOfDay(to, timeZone)}: ${formatSum(sum)}`;
}

/** Returns the lines below the curve, also for the alternative text. */
export function recapPictureLines(party: ShownParty, hasNames: boolean): readonly string[] {
  const everybody = formatEverybody(party);
  return hasNames && party.users.length > 0 ? [everybody, listNames(party)] : [everybody];
}

const mostNames = 8;

/** Names first who has the most beers, unless several have. */
function listNames({ users, others }: ShownParty): string {
  const most = Math.max(...users.map(({ beercounter_entries_count: beers }) => beers));
  const leaders = users.filter(({ beercounter_entries_count: beers }) => beers === most);
  const first = leaders.length === 1 && users.length + others > 1 ? leaders[0] : undefined;
  const names = users.filter((user) => user !== first).map(({ name }) => name);
  names.sort((one, other) => one.localeCompare(other, "de"));
  const mostShown = first === undefined ? mostNames : mostNames - 1;
  const shown = names.length + others > mostShown ? names.slice(0, mostShown - 1) : names;
  const left = names.length - shown.length + others;
  const rest = formatList(left === 0 ? shown : [...shown, left === 1 ? "einer weiteren Person" : `${left} weiteren`]);
  return first === undefined ? `mit ${rest}` : `vorn ${first.name}, mit ${rest}`;
}

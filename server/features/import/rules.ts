import { hash } from "node:crypto";

import { importLimits, type ImportProblem, type ImportReport } from "#contract/import.ts";
import { epochOf } from "#server/platform/local-day.ts";
import { toIso } from "#server/time.ts";

/** Reason why a whole file cannot be imported; `line` if known. */
export class ImportFileError extends Error {
  readonly problem: ImportProblem;
  readonly line: number | null;

  constructor(problem: ImportProblem, line: number | null = null) {
    super(problem);
    this.problem = problem;
    this.line = line;
  }
}

/** Beers of one person at one time, in one line of the file. `id` distinguishes lines of the same source. */
export interface Line {
  readonly line: number;
  readonly name: string;
  readonly at: number;
  readonly count: number;
  readonly id: string;
  /** Only in strichliste. */
  readonly article?: string;
}

/** An invalid line; `null` if the whole file is invalid. */
export interface WrongLine {
  readonly line: number | null;
  readonly problem: ImportProblem;
}

/** The valid lines of a file, and the problems of the others. */
export interface Content {
  readonly lines: readonly Line[];
  readonly problems: readonly WrongLine[];
  readonly problemCount: number;
  readonly repeated: ImportReport["repeated"];
  readonly repeatedCount: number;
}

/** Maximum number of listed problems and repetitions. */
const maxListed = 100;
/** Maximum number of listed lines per name. */
const maxNamedLines = 5;
const maxCount = 100;

/** Collects the lines of a file; only the first of equal lines is booked. */
export async function collectLines(source: AsyncIterable<Line | WrongLine>): Promise<Content> {
  const lines: Line[] = [];
  const problems: WrongLine[] = [];
  const repeated: { line: number; first: number }[] = [];
  const firstLines = new Map<string, number>();
  let problemCount = 0;
  let repeatedCount = 0;
  let beers = 0;
  for await (const line of source) {
    if ("problem" in line) {
      problemCount += 1;
      if (problems.length < maxListed) problems.push(line);
      continue;
    }
    const key = `${normalizeName(line.name)} ${line.id}`;
    const first = firstLines.get(key);
    if (first !== undefined) {
      repeatedCount += 1;
      if (repeated.length < maxListed) repeated.push({ line: line.line, first });
      continue;
    }
    firstLines.set(key, line.line);
    lines.push(line);
    beers += line.count;
    if (beers > importLimits.beers) throw new ImportFileError("tooMany", line.line);
  }
  return { lines, problems, problemCount, repeated, repeatedCount };
}

/** Normalizes a name: case and surrounding blanks are ignored. */
export function normalizeName(name: string): string {
  return name.normalize("NFC").trim().toLocaleLowerCase("de");
}

/** Returns the key of a line's nth beer, which is the same in every import of that line. */
export function keyOfBeer({ name, id }: Pick<Line, "name" | "id">, index: number): string {
  return `import-${hash("sha256", JSON.stringify([normalizeName(name), id, index]), "base64url")}`;
}

const isoTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const germanTime = /^(\d{1,2})\.(\d{1,2})\.(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*Uhr)?$/i;

/**
 * Parses a time in ISO 8601 or like "24.12.2026 18:30" to epoch ms; without an offset it is in `timeZone`. `null` for other text.
 */
export function parseTime(text: string, timeZone: string): number | null {
  const iso = isoTime.exec(text);
  if (iso) {
    const [, day, time, offset] = iso;
    return toEpoch(day!, time!.replace(",", "."), offset, timeZone);
  }
  const german = germanTime.exec(text);
  if (!german) return null;
  const [, date, month, year, hour, minute, second = "00"] = german;
  const day = `${year}-${month!.padStart(2, "0")}-${date!.padStart(2, "0")}`;
  return toEpoch(day, `${hour!.padStart(2, "0")}:${minute}:${second}`, undefined, timeZone);
}

function toEpoch(day: string, time: string, offset: string | undefined, timeZone: string): number | null {
  // Date.parse() accepts the 31st of every month.
  if (Number.isNaN(Date.parse(day)) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) return null;
  const at = offset === undefined ? epochOf(day, time, timeZone) : Date.parse(`${day}T${time}${toIsoOffset(offset)}`);
  return Number.isNaN(at) || at < 0 ? null : Math.floor(at);
}

function toIsoOffset(offset: string): string {
  return offset.toUpperCase() === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
}

/** Parses the number of beers of a line: 1 if empty; `null` if invalid. */
export function parseCount(text: string): number | null {
  if (text === "") return 1;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= maxCount ? count : null;
}

export interface Person {
  readonly id: number;
  readonly uname: string;
  readonly name: string;
}

/** Creates a function that finds the member of a name: by user name, else by a display name that only one member has. */
export function createNameFinder(members: readonly Person[]): (name: string) => Person | undefined {
  const unames = new Map(members.map((member) => [normalizeName(member.uname), member]));
  const byName = Map.groupBy(members, ({ name }) => normalizeName(name));
  return (name) => {
    const key = normalizeName(name);
    const named = byName.get(key) ?? [];
    return unames.get(key) ?? (named.length === 1 ? named[0] : undefined);
  };
}

/** The chosen member by normalized name; `null` skips the beers of the name. */
export type NameChoices = ReadonlyMap<string, Person | null>;

/** Returns every name of the file with its member; unknown names first, then by number of beers. */
export function assignNames(
  lines: readonly Line[],
  find: (name: string) => Person | undefined,
  choices: NameChoices,
): ImportReport["names"] {
  const names = new Map<string, { name: string; beers: number; lines: number[] }>();
  for (const { name, count, line } of lines) {
    const key = normalizeName(name);
    const known = names.get(key) ?? { name: name.trim(), beers: 0, lines: [] };
    known.beers += count;
    if (known.lines.length < maxNamedLines) known.lines.push(line);
    names.set(key, known);
  }
  const assigned = [...names].map(([key, found]) => {
    const chosen = choices.get(key);
    const member = chosen === undefined ? (find(key) ?? null) : chosen;
    return { ...found, member, is_unknown: chosen === undefined && member === null };
  });
  return assigned.toSorted(
    (one, other) => Number(other.is_unknown) - Number(one.is_unknown) || other.beers - one.beers,
  );
}

/** Returns the first and the last time of the beers, in ISO 8601. */
export function timesOf(lines: readonly Line[]): Pick<ImportReport, "first_at" | "last_at"> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of lines) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return lines.length === 0 ? { first_at: null, last_at: null } : { first_at: toIso(first), last_at: toIso(last) };
}

/** Returns the number of beers per article, highest first. */
export function countArticles(
  lines: readonly Line[],
  isChosen: (article: string) => boolean,
): ImportReport["articles"] {
  const counts = new Map<string, number>();
  for (const { article, count } of lines)
    if (article !== undefined) counts.set(article, (counts.get(article) ?? 0) + count);
  return [...counts]
    .map(([name, beers]) => ({ name, beers, is_chosen: isChosen(name) }))
    .toSorted((one, other) => other.beers - one.beers);
}

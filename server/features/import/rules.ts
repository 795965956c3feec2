import { hash } from "node:crypto";

import { importLimits, type ImportProblem, type ImportReport } from "#contract/import.ts";
import type { Tap } from "#server/features/beers/actions.ts";
import { epochOf } from "#server/platform/local-day.ts";
import { toIso } from "#server/time.ts";

/** Reason why a whole file cannot be imported; `line` is `null` if unknown. */
export class ImportFileError extends Error {
  readonly problem: ImportProblem;
  readonly line: number | null;

  constructor(problem: ImportProblem, line: number | null = null) {
    super(problem);
    this.problem = problem;
    this.line = line;
  }
}

/** Beers of one name at one time. `id` distinguishes a file's lines of the same name. */
export interface Line {
  readonly line: number;
  readonly name: string;
  readonly at: number;
  readonly count: number;
  readonly id: string;
  /** Absent in CSV files and in strichliste 1. */
  readonly article?: string;
}

/** `line` is `null` if the problem concerns the whole file. */
export interface WrongLine {
  readonly line: number | null;
  readonly problem: ImportProblem;
}

/** The counts include the problems and repeated lines that are not listed. */
export interface Content {
  readonly lines: readonly Line[];
  readonly problems: readonly WrongLine[];
  readonly problemCount: number;
  readonly repeated: ImportReport["repeated"];
  readonly repeatedCount: number;
}

/** Limits the listed problems, and the listed repeated lines. */
const maxListed = 100;
const maxNamedLines = 5;
const maxCount = 100;
/** Also limits the names of articles. */
const maxNameLength = 255;

/** Keeps the first of several equal lines, and lists the others as repeated. */
export async function collectLines(source: AsyncIterable<Line | WrongLine>): Promise<Content> {
  const lines: Line[] = [];
  const problems: WrongLine[] = [];
  const repeated: { line: number; first: number }[] = [];
  const firstLines = new Map<string, number>();
  const names = new Set<string>();
  const articles = new Set<string>();
  let problemCount = 0;
  let repeatedCount = 0;
  let beers = 0;
  for await (const read of source) {
    const line = checkLengths(read);
    if ("problem" in line) {
      problemCount += 1;
      if (problems.length < maxListed) problems.push(line);
      continue;
    }
    const name = normalizeName(line.name);
    names.add(name);
    if (line.article !== undefined) articles.add(line.article);
    if (Math.max(names.size, articles.size) > importLimits.names) throw new ImportFileError("names", line.line);
    const key = `${name} ${line.id}`;
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

export function unreadable({ problem, line }: WrongLine): Content {
  return { lines: [], problems: [{ line, problem }], problemCount: 1, repeated: [], repeatedCount: 0 };
}

function checkLengths(line: Line | WrongLine): Line | WrongLine {
  if ("problem" in line) return line;
  const isTooLong = Math.max(line.name.length, line.article?.length ?? 0) > maxNameLength;
  return isTooLong ? { line: line.line, problem: "name" } : line;
}

/** Names that differ only in case or surrounding blanks are equal. */
export function normalizeName(name: string): string {
  return name.normalize("NFC").trim().toLocaleLowerCase("de");
}

/** Returns the same key in every import; `index` counts the beers within the line, from 0. */
export function keyOfBeer({ name, id }: Pick<Line, "name" | "id">, index: number): string {
  return `import-${hash("sha256", JSON.stringify([normalizeName(name), id, index]), "base64url")}`;
}

const isoTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i;
const germanTime = /^(\d{1,2})\.(\d{1,2})\.(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*Uhr)?$/i;

/**
 * Parses ISO 8601 or "24.12.2026 18:30" to epoch ms; `null` for other text. Times without an offset are in `timeZone`.
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
  // Date.parse() accepts a 31st of every month.
  if (Number.isNaN(Date.parse(day)) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) return null;
  const at = offset === undefined ? epochOf(day, time, timeZone) : Date.parse(`${day}T${time}${toIsoOffset(offset)}`);
  return Number.isNaN(at) || at < 0 ? null : Math.floor(at);
}

function toIsoOffset(offset: string): string {
  return offset.toUpperCase() === "Z" ? "Z" : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
}

/** Returns 1 for an empty text; `null` if the number is invalid. */
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

/** Finds by user name, or else by a display name that no other member has. */
export function createNameFinder(members: readonly Person[]): (name: string) => Person | undefined {
  const unames = new Map(members.map((member) => [normalizeName(member.uname), member]));
  const byName = Map.groupBy(members, ({ name }) => normalizeName(name));
  return (name) => {
    const key = normalizeName(name);
    const named = byName.get(key) ?? [];
    return unames.get(key) ?? (named.length === 1 ? named[0] : undefined);
  };
}

/** By normalized name; `null` leaves out the beers of the name. */
export type NameChoices = ReadonlyMap<string, Person | null>;

/** Returns unknown names first; within each group, those with the most beers. */
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

export function timesOf(lines: readonly Line[]): Pick<ImportReport, "first_at" | "last_at"> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of lines) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return lines.length === 0 ? { first_at: null, last_at: null } : { first_at: toIso(first), last_at: toIso(last) };
}

/** Returns the article with the most beers first. */
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

/** `articles` are those that are beers; `null` for all. */
export interface Choices {
  readonly names: NameChoices;
  readonly articles: readonly string[] | null;
}

export interface Plan {
  /** `imported` counts all beers of members, and `known` is 0. */
  readonly report: ImportReport;
  readonly chunks: Iterator<Tap[], undefined>;
}

/** Disregards beers that are already booked. */
export function planImport(content: Content, people: readonly Person[], choices: Choices): Plan {
  const { problems, problemCount: problem_count, repeated, repeatedCount: repeated_count } = content;
  const chosen = choices.articles && new Set(choices.articles.map(normalizeName));
  const isChosen = (article: string) => chosen === null || chosen.has(normalizeName(article));
  const lines = content.lines.filter(({ article }) => article === undefined || isChosen(article));
  const names = assignNames(lines, createNameFinder(people), choices.names);
  const members = new Map<string, number>();
  for (const { name, member } of names) if (member) members.set(normalizeName(name), member.id);
  const beers = names.reduce((sum, name) => sum + name.beers, 0);
  const imported = names.reduce((sum, name) => sum + (name.member ? name.beers : 0), 0);
  const report: ImportReport = {
    imported,
    known: 0,
    is_running: false,
    left_out: beers - imported,
    ...timesOf(lines),
    names,
    articles: countArticles(content.lines, isChosen),
    problems: [...problems],
    problem_count,
    repeated: [...repeated],
    repeated_count,
  };
  return { report, chunks: listChunks(lines, members) };
}

/** Beers per transaction; taps wait for it. */
const chunkSize = 500;

function* listChunks(lines: readonly Line[], members: ReadonlyMap<string, number>): Generator<Tap[], undefined> {
  let chunk: Tap[] = [];
  for (const line of lines) {
    const userId = members.get(normalizeName(line.name));
    if (userId === undefined) continue;
    for (let beer = 0; beer < line.count; beer++) {
      chunk.push({ userId, at: line.at, key: keyOfBeer(line, beer) });
      if (chunk.length < chunkSize) continue;
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
  return undefined;
}

import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

import {
  type checkImport,
  type importBeers,
  importChoices,
  type ImportChoices,
  type ImportReport,
} from "#contract/import.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { bookBeers, publishCounterChange, type Tap } from "#server/features/beercounter/actions.ts";
import { listByKeys, lockGroup } from "#server/features/beercounter/store.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuseField } from "#server/platform/http/refusal.ts";
import type { ReceiveUpload } from "#server/platform/http/upload.ts";
import { readCsv } from "./formats/csv.ts";
import { readStrichliste } from "./formats/strichliste.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

const batchSize = 1000;

/** The part of the server's context that commands have, too. */
export type ImportContext = Pick<Context, "db" | "config" | "clock">;

/** A file to import. CSV is read from `chunks`, an SQLite database from `path`. */
export interface ImportFile extends Pick<ImportChoices, "format" | "has_local_times"> {
  readonly path: string;
  readonly chunks: () => AsyncIterable<Buffer>;
}

/** The result of a dry run: its report and the beers to book. */
export interface ImportPlan {
  readonly report: ImportReport;
  readonly taps: readonly Tap[];
}

/** Returns `true` if no line has a problem and every name is assigned to a member or left out. */
export function canImport({ problem_count, names }: ImportReport): boolean {
  return problem_count === 0 && names.every(({ is_unknown }) => !is_unknown);
}

/**
 * Reads a file and reports the effect of its import without booking beers. `articles` names the
 * articles that count as beers; `null` for all.
 */
export async function planImport(
  context: ImportContext,
  file: ImportFile,
  { names: choices, articles }: { readonly names: rules.NameChoices; readonly articles: readonly string[] | null },
): Promise<ImportPlan> {
  const { db, config, clock } = context;
  const content = await readContent(file, config.timeZone, clock.now());
  const { lines: all, problems, problemCount, repeated, repeatedCount } = content;
  const chosen = articles && new Set(articles.map(rules.normalizeName));
  const isChosen = (article: string) => chosen === null || chosen.has(rules.normalizeName(article));
  const lines = all.filter(({ article }) => article === undefined || isChosen(article));
  const names = rules.assignNames(lines, rules.createNameFinder(await store.listPeople(db)), choices);
  const members = new Map(names.map(({ name, member }) => [rules.normalizeName(name), member]));
  const taps: Tap[] = [];
  let leftOut = 0;
  for (const [index, line] of lines.entries()) {
    if (index % batchSize === 0) await nextTurn();
    const member = members.get(rules.normalizeName(line.name)) ?? null;
    if (member === null) leftOut += line.count;
    else
      for (let beer = 0; beer < line.count; beer++)
        taps.push({ userId: member.id, at: line.at, key: rules.keyOfBeer(line, beer) });
  }
  const fresh = await withoutKnown(db, taps);
  const report: ImportReport = {
    imported: fresh.length,
    known: taps.length - fresh.length,
    left_out: leftOut,
    ...rules.timesOf(lines),
    names,
    articles: rules.countArticles(all, isChosen),
    problems: [...problems],
    problem_count: problemCount,
    repeated: [...repeated],
    repeated_count: repeatedCount,
  };
  return { report, taps: fresh };
}

/** Reads the lines of a file. An unreadable file becomes a single problem without lines. */
async function readContent(file: ImportFile, timeZone: string, now: number): Promise<rules.Content> {
  const source =
    file.format === "csv"
      ? readCsv(file.chunks(), { timeZone, now })
      : readStrichliste(file.path, { timeZone: file.has_local_times ? timeZone : "UTC", now });
  try {
    return await rules.collectLines(source);
  } catch (error) {
    if (!(error instanceof rules.ImportFileError)) throw error;
    return {
      lines: [],
      problems: [{ line: error.line, problem: error.problem }],
      problemCount: 1,
      repeated: [],
      repeatedCount: 0,
    };
  }
}

/**
 * Returns the taps without those that an earlier import booked for any member, even if the beers
 * were undone since.
 */
async function withoutKnown(db: Db, taps: readonly Tap[]): Promise<Tap[]> {
  const fresh: Tap[] = [];
  for (let from = 0; from < taps.length; from += batchSize) {
    const batch = taps.slice(from, from + batchSize);
    const known = new Set(
      (
        await listByKeys(
          db,
          batch.map(({ key }) => key!),
        )
      ).map(({ key }) => key),
    );
    fresh.push(...batch.filter(({ key }) => !known.has(key)));
    await nextTurn();
  }
  return fresh;
}

/**
 * Books all beers of a plan in one transaction and returns their number. These beers cause no
 * pushes and no milestones.
 */
export async function bookImport(
  { db, config, clock, realtime }: ImportContext & Partial<Pick<Context, "realtime">>,
  { taps }: ImportPlan,
  by: Actor,
): Promise<number> {
  const book = async (tx: Db): Promise<number> => {
    let imported = 0;
    // The lock makes concurrent imports and taps wait, also on PostgreSQL.
    await lockGroup(tx);
    for (let from = 0; from < taps.length; from += batchSize) {
      // Another import of the same file may have booked some of these beers since the plan was
      // made.
      const batch = await withoutKnown(tx, taps.slice(from, from + batchSize));
      if (batch.length > 0) await bookBeers(tx, batch, config.timeZone);
      imported += batch.length;
    }
    if (imported > 0) {
      await createAuditEntry(tx, "beers-imported", { imported }, { at: clock.now(), by });
      if (realtime) await publishCounterChange(tx, { realtime });
    }
    return imported;
  };
  return by === null ? inTransaction(db, book) : inAdminChange(db, by, book);
}

/** Reports the effect of importing an uploaded file. */
export async function checkUpload(context: Context, receive: ReceiveUpload<typeof checkImport>) {
  return withUploadedPlan(context, receive, async ({ report }) => report);
}

/** Imports an uploaded file. Refuses the whole file if any line or name is invalid. */
export async function importUpload(
  context: Context,
  receive: ReceiveUpload<typeof importBeers>,
  by: number,
): Promise<ImportReport> {
  return withUploadedPlan(context, receive, async (plan) => {
    if (!canImport(plan.report)) throw refuseField("file", "importRefused");
    const imported = await bookImport(context, plan, by);
    context.log.info("beers-imported", { by, imported });
    return { ...plan.report, imported };
  });
}

async function withUploadedPlan<Result>(
  context: Context,
  receive: ReceiveUpload<typeof checkImport | typeof importBeers>,
  work: (plan: ImportPlan) => Promise<Result>,
): Promise<Result> {
  return receive(async (readForm) => {
    const { file, fields } = await readForm();
    const choices = parseChoices(fields.choices);
    if (!choices) throw refuseField("choices", "invalid");
    const path = join(context.config.dataDir, `import.${randomUUID()}.tmp`);
    try {
      // SQLite can only open a database on disk; CSV is read from memory.
      if (choices.format === "strichliste") {
        await mkdir(context.config.dataDir, { recursive: true, mode: 0o700 });
        await writeFile(path, file, { mode: 0o600 });
      }
      const source = { ...choices, path, chunks: () => Readable.from(chunksOf(file)) as AsyncIterable<Buffer> };
      const names = await findChoices(context.db, choices.names);
      return await work(await planImport(context, source, { names, articles: choices.articles }));
    } finally {
      await rm(path, { force: true });
    }
  });
}

function parseChoices(text: string): ImportChoices | undefined {
  try {
    return importChoices.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Splits an uploaded file into chunks, so that other requests run between the chunks. */
function* chunksOf(file: Buffer): Generator<Buffer> {
  const size = 64 * 1024;
  for (let from = 0; from < file.length; from += size) yield file.subarray(from, from + size);
}

async function findChoices(db: Db, chosen: ImportChoices["names"]): Promise<rules.NameChoices> {
  const people = new Map((await store.listPeople(db)).map((person) => [person.id, person]));
  const known = chosen.filter(({ member }) => member === null || people.has(member));
  return new Map(
    known.map(({ name, member }) => [rules.normalizeName(name), member === null ? null : people.get(member)!]),
  );
}

import { join } from "node:path";

import {
  type checkImport,
  type importBeers,
  importChoices,
  type ImportChoices,
  importLimits,
  type ImportReport,
} from "#contract/import.ts";
import { megabytes } from "#contract/sizes.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { bookBeers, publishCounterChange, type Tap } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { ReceiveUpload } from "#server/platform/http/upload.ts";
import { outageFields } from "#server/platform/log.ts";
import { createWorkers, WorkerError } from "#server/platform/workers/worker-process.ts";
import { minutes, seconds } from "#server/time.ts";
import type { ImportFile, ImportJob, ImportReply } from "./formats/import-worker.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

export type ImportContext = Pick<Context, "db" | "say" | "config" | "clock"> & Partial<Pick<Context, "stopping">>;

const maxReaderBytes = megabytes(768);
const withReader = createWorkers<ImportJob, ImportReply>(
  join(import.meta.dirname, "formats/import-worker.ts"),
  maxReaderBytes,
);
const readLimitMs = seconds(60);

/** Time without a change after which another process completes an import. */
const abandonedMs = seconds(30);
/** Longer than any read, also if the clocks of instances differ by a minute. */
const unfinishedMs = readLimitMs + minutes(2);

/** Returns `true` if no line has a problem and every name is assigned to a member or left out. */
export function canImport({ problem_count, names }: ImportReport): boolean {
  return problem_count === 0 && names.every(({ is_unknown }) => !is_unknown);
}

type NextChunk = () => Promise<readonly Tap[]>;

/**
 * Reads a file in a process of its own. Passes its report and a function that returns the next beers, or none after the
 * last.
 */
async function readFile<Result>(
  { db, config, clock }: ImportContext,
  file: ImportFile,
  choices: rules.Choices,
  signal: AbortSignal | undefined,
  work: (report: ImportReport, next: NextChunk) => Promise<Result>,
): Promise<Result> {
  const people = await store.listPeople(db);
  const job = { ...file, ...choices, people, timeZone: config.timeZone, now: clock.now() };
  return withReader(async (ask) => {
    const report = (await ask(job, readLimitMs).catch(orNull)) as ImportReport | null;
    if (report === null)
      return work(rules.planImport(rules.unreadable({ problem: "effort", line: null }), [], choices).report, noTaps);
    return work(report, async () => {
      const taps = (await ask("next", readLimitMs).catch(orNull)) as readonly Tap[] | null;
      if (taps === null) throw refuse("unavailable");
      return taps;
    });
  }, signal);
}

/** The process ended, e.g. because it ran out of memory. */
function orNull(error: unknown): null {
  if (error instanceof WorkerError) return null;
  throw error;
}

const noTaps: NextChunk = async () => [];

export function checkFile(
  context: ImportContext,
  file: ImportFile,
  choices: rules.Choices,
  signal?: AbortSignal,
): Promise<ImportReport> {
  return readFile(context, file, choices, signal, async (report, next) => {
    let imported = 0;
    for (let taps = await next(); taps.length > 0; taps = await next())
      imported += (await withoutKnown(context.db, taps)).length;
    return { ...report, imported, known: report.imported - imported };
  });
}

interface StoredImport {
  /** Report with the number of stored beers. */
  readonly report: ImportReport;
  /** Returns the report with the number of booked beers. */
  book(): Promise<ImportReport>;
}

/**
 * Stores the new beers unless `canImport` is false. They will be booked, also after a restart, so a later abort of
 * `signal` has no effect.
 */
export async function storeFile(
  context: ImportContext,
  file: ImportFile,
  choices: rules.Choices,
  { by, signal }: { by: Actor; signal?: AbortSignal },
): Promise<StoredImport> {
  return readFile(context, file, choices, signal, async (report, next) => {
    if (!canImport(report)) return { report, book: async () => report };
    const { id, stored } = await storeBeers(context, next, by);
    const withCount = (imported: number) => ({ ...report, imported, known: report.imported - imported });
    return { report: withCount(stored), book: async () => withCount(await bookImport(context, id)) };
  });
}

/** Returns the number of stored beers and the id of the import. */
async function storeBeers(context: ImportContext, next: NextChunk, by: Actor) {
  const { db, clock } = context;
  const id = await store.createImport(db, by, clock.now());
  let stored = 0;
  try {
    for (let taps = await next(); taps.length > 0; taps = await next()) {
      const fresh = await withoutKnown(db, taps);
      await inTransaction(db, async (tx) => {
        await store.touchImport(tx, id, clock.now());
        if (fresh.length > 0) await store.createChunk(tx, id, fresh);
      });
      stored += fresh.length;
    }
    const complete = (tx: Db) => store.touchImport(tx, id, clock.now(), { isComplete: true });
    await (by === null ? complete(db) : changeAsAdmin(context, by, complete));
    return { id, stored };
  } catch (error) {
    await dropImport(db, id);
    throw error;
  }
}

async function dropImport(db: Db, id: number): Promise<void> {
  while (await store.takeChunk(db, id));
  await store.deleteImport(db, id);
}

/**
 * Returns the number of booked beers. Several processes can book the same import. Causes no pushes and no milestones.
 */
async function bookImport(context: ImportContext, id: number): Promise<number> {
  const { db, clock, stopping } = context;
  for (let imported = 0; ;) {
    if (stopping?.aborted) throw refuse("importContinues");
    const began = clock.monotonic();
    const booked = await inTransaction(db, (tx) => bookNextChunk(tx, context, id));
    if (booked === null) return imported;
    imported = booked;
    // Leaves half of the time to taps, also to those of another process that waits for the lock of SQLite.
    await clock.sleep(clock.monotonic() - began);
  }
}

/** Returns the number of the import's beers booked so far; `null` after the last. */
async function bookNextChunk(tx: Db, context: ImportContext, id: number): Promise<number | null> {
  const { config, clock } = context;
  // Concurrent imports and taps wait, also on PostgreSQL.
  await beerStore.lockGroupTotal(tx);
  const taps = await store.takeChunk(tx, id);
  if (taps) {
    const existing = await store.listExisting(tx, [...new Set(taps.map(({ userId }) => userId))]);
    const fresh = await withoutKnown(
      tx,
      taps.filter(({ userId }) => existing.has(userId)),
    );
    if (fresh.length > 0) await bookBeers(tx, fresh, config.timeZone);
    return (await store.touchImport(tx, id, clock.now(), { booked: fresh.length })).booked;
  }
  const ended = await store.deleteImport(tx, id);
  if (ended && ended.booked > 0) {
    const say = context.say(tx, ended.actor_id);
    await say.audit("beers-imported", { imported: ended.booked });
    await publishCounterChange(tx, say);
  }
  return null;
}

/** Omits taps that an earlier import booked for any member, even if the beers were undone since. */
async function withoutKnown(db: Db, taps: readonly Tap[]): Promise<readonly Tap[]> {
  if (taps.length === 0) return taps;
  const beers = await beerStore.listByKeys(
    db,
    taps.map(({ key }) => key!),
  );
  const known = new Set(beers.map(({ key }) => key));
  return taps.filter(({ key }) => !known.has(key));
}

/** Books the rest of imports whose process ended, and drops those that were not stored completely. */
export async function finishImports(context: ImportContext): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  for (const { id, is_complete, touched_at } of await store.listAbandoned(db, now - abandonedMs))
    if (is_complete === 1) await bookImport(context, id);
    else if (touched_at < now - unfinishedMs) await dropImport(db, id);
}

export function checkUpload(
  context: Context,
  receive: ReceiveUpload<typeof checkImport>,
  signal: AbortSignal,
): Promise<ImportReport> {
  return withUpload(context, receive, async (file, choices) => ({
    report: await checkFile(context, file, choices, signal),
  }));
}

/**
 * Refuses the whole file if any line or name is invalid. Reports a large import before it is booked, because
 * connections end after a minute without an answer.
 */
export function importUpload(
  context: Context,
  receive: ReceiveUpload<typeof importBeers>,
  { by, signal }: { by: number; signal: AbortSignal },
): Promise<ImportReport> {
  const { log } = context;
  return withUpload(context, receive, async (file, choices) => {
    const { report, book } = await storeFile(context, file, choices, { by, signal });
    if (!canImport(report)) throw refuseField("file", "importRefused");
    const booking = book().then((booked) => {
      log.info("beers-imported", { by, imported: booked.imported });
      return booked;
    });
    if (report.imported <= importLimits.bookedAtOnce) return { report: await booking };
    const rest = booking.catch((error: unknown) => log.warn("import-interrupted", { by, ...outageFields(error) }));
    return { report: { ...report, is_running: true }, rest };
  });
}

let isRunning = false;

/** Refuses a second file until `work` and its `rest` have ended, because each takes memory, and time from taps. */
async function withUpload(
  { db }: Context,
  receive: ReceiveUpload<typeof checkImport | typeof importBeers>,
  work: (file: ImportFile, choices: rules.Choices) => Promise<{ report: ImportReport; rest?: Promise<unknown> }>,
): Promise<ImportReport> {
  return receive(async (readForm) => {
    const { path, fields } = await readForm();
    const choices = parseChoices(fields.choices);
    if (!choices) throw refuseField("choices", "invalid");
    if (isRunning) throw refuse("importRunning");
    isRunning = true;
    let rest: Promise<unknown> | undefined;
    try {
      const names = await findChoices(db, choices.names);
      const result = await work({ ...choices, path }, { names, articles: choices.articles });
      rest = result.rest;
      return result.report;
    } finally {
      void Promise.resolve(rest).then(() => (isRunning = false));
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

async function findChoices(db: Db, chosen: ImportChoices["names"]): Promise<rules.NameChoices> {
  const people = new Map((await store.listPeople(db)).map((person) => [person.id, person]));
  const known = chosen.filter(({ member }) => member === null || people.has(member));
  return new Map(
    known.map(({ name, member }) => [rules.normalizeName(name), member === null ? null : people.get(member)!]),
  );
}

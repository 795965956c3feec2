import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { UnusableDataError } from "#server/operator-error.ts";
import { assertKnownMigrations, versionSetting } from "./migrate.ts";
import { findCopyToGoBack } from "./upgrade.ts";

/**
 * Runs before anything writes to the file, including SQLite's own recovery: a damaged file may be the only copy.
 * `isAlone`: no other process has the file open, so its write-ahead log can also be checked.
 */
export function assertSqliteIntegrity(file: string, { isAlone }: { isAlone: boolean }): void {
  if (!existsSync(file)) return;
  const damage = (isAlone ? findWalDamage(`${file}-wal`) : null) ?? findFileDamage(file);
  if (!damage) return;
  throw new UnusableDataError(
    `DATA_DIR: ${file} is damaged (${damage}). Nothing was written to it. Keep a copy of it and of the files beside it, ` +
      "then restore the last backup into an empty DATA_DIR: stammtisch restore FILE",
  );
}

/** A first start or restore that was killed leaves a file without tables. */
export function isSqliteFileEmpty(file: string): boolean {
  if (!existsSync(file)) return true;
  using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  return database.prepare("select 1 from sqlite_schema").get() === undefined;
}

const corruptionCodes = new Set([11, 26]);

function findFileDamage(file: string): string | null {
  try {
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    const { quick_check: found } = database.prepare("pragma quick_check(1)").get() as { quick_check: string };
    if (found !== "ok") return firstLine(found);
    const hasHistory = database.prepare("select 1 from sqlite_schema where name = 'migrations'").get();
    const names = hasHistory ? database.prepare("select name from migrations").all() : [];
    assertKnownMigrations(
      names.map(({ name }) => String(name)),
      { writtenBy: findWritingVersion(database), wayBack: describeWayBack(dirname(file)) },
    );
    return null;
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode === undefined || !corruptionCodes.has(errcode & 0xff)) throw error;
    return firstLine(message);
  }
}

function findWritingVersion(database: DatabaseSync): string | undefined {
  if (!database.prepare("select 1 from sqlite_schema where name = 'settings'").get()) return;
  const row = database.prepare("select value from settings where key = ?").get(versionSetting);
  return row && String(row["value"]);
}

function describeWayBack(dataDir: string): string {
  const copy = findCopyToGoBack(dataDir);
  return copy === null
    ? "To go back, restore the last backup from before the update into an empty DATA_DIR: stammtisch restore FILE"
    : `To go back, put the copy made before the update in place: ${copy}. “To go back” in docs/operating.md tells how.`;
}

function firstLine(text: string): string {
  return text.replaceAll("*", "").trim().split("\n").join(" ");
}

const headerLength = 32;
const frameHeaderLength = 24;
const littleEndianMagic = 0x377f0682;

/**
 * Detects lost commits in the write-ahead log (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). SQLite
 * drops the log from the first corrupt frame on, and quick_check does not report it. After a power cut that is correct:
 * only the last transaction, never confirmed, can be incomplete. More than one commit after the corrupt frame means
 * that confirmed transactions would be lost.
 */
function findWalDamage(path: string): string | null {
  if (!existsSync(path)) return null;
  const log = readFileSync(path);
  if (log.length <= headerLength) return null;
  const magic = log.readUInt32BE(0);
  const isLittle = magic === littleEndianMagic;
  let sum = addToChecksum(log.subarray(0, 24), isLittle, [0, 0]);
  if ((magic | 1) !== (littleEndianMagic | 1) || !hasChecksum(log, 24, sum))
    return "the head of its log is not readable";

  const frameLength = frameHeaderLength + log.readUInt32BE(8);
  let isBroken = false;
  let commitsAfter = 0;
  for (let at = headerLength; at + frameLength <= log.length; at += frameLength) {
    const frame = log.subarray(at, at + frameLength);
    const isOfThisLog = log.compare(frame, 8, 16, 16, 24) === 0;
    if (!isBroken) {
      const next = addToChecksum(
        frame.subarray(frameHeaderLength),
        isLittle,
        addToChecksum(frame.subarray(0, 8), isLittle, sum),
      );
      if (isOfThisLog && hasChecksum(frame, 16, next)) sum = next;
      else isBroken = true;
    }
    if (isBroken && isOfThisLog && frame.readUInt32BE(4) !== 0) commitsAfter += 1;
  }
  return commitsAfter > 1 ? "its log is broken in the middle" : null;
}

type Checksum = readonly [number, number];

function addToChecksum(bytes: Buffer, isLittle: boolean, [first, second]: Checksum): Checksum {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)) + b) >>> 0;
    b = (b + (isLittle ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

function hasChecksum(bytes: Buffer, at: number, [first, second]: Checksum): boolean {
  return bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;
}

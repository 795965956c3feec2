import { execFile } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import { megabytes } from "#contract/sizes.ts";
import { databaseFile } from "#server/db/connect.ts";
import { assertWritable } from "#server/platform/storage/data-directory-lock.ts";
import { CheckFailure } from "./check.ts";

const minFreeBytes = megabytes(256);
const maxClockOffsetMs = 2000;

/** Compares the computer's clock with that of the file system, and reports whether NTP synchronises it. */
export async function checkClock(dataDir: string): Promise<string> {
  const now = Date.now();
  const apart = now - (readFileSystemClock(dataDir) ?? now);
  if (Math.abs(apart) > maxClockOffsetMs)
    throw new CheckFailure(
      `The clock is ${Math.round(Math.abs(apart) / 1000)} s ${apart > 0 ? "ahead of" : "behind"} the disk of DATA_DIR.`,
    );
  const asked = promisify(execFile)("timedatectl", ["show", "-p", "NTPSynchronized", "--value"]);
  const { stdout } = await asked.catch(() => ({ stdout: "" }));
  const synchronised =
    { yes: ", synchronised by NTP", no: ", not synchronised by NTP (timedatectl set-ntp true)" }[stdout.trim()] ?? "";
  return `${new Date(now).toISOString()}${synchronised}`;
}

/** Epoch ms. The file system may be on another computer. `null` if the folder is not writable. */
function readFileSystemClock(folder: string): number | null {
  const file = join(folder, `.clock-${process.pid}`);
  try {
    closeSync(openSync(file, "w"));
    const { mtimeMs } = statSync(file);
    rmSync(file);
    return mtimeMs;
  } catch {
    return null;
  }
}

/** Days, weeks and calendar doors depend on the time zone data. */
export function checkTimeZone(timeZone: string): string {
  const offset = (day: string, zone: string) =>
    new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })
      .formatToParts(new Date(`${day}T12:00:00Z`))
      .find(({ type }) => type === "timeZoneName")?.value;
  const winter = offset("2026-01-15", "Europe/Berlin");
  const summer = offset("2026-07-15", "Europe/Berlin");
  if (winter !== "GMT+01:00" || summer !== "GMT+02:00")
    throw new CheckFailure("The time zone data of this machine are wrong: Berlin has no summer time in them.");
  const today = new Date().toISOString().slice(0, 10);
  return `${timeZone}, today ${offset(today, timeZone)}; time zone data ${process.versions["tz"] ?? "of the system"}`;
}

/** Requires space for a growing database, and for the copy that the next upgrade makes. */
export function checkDisk(dataDir: string): string {
  const free = countFreeBytes(dataDir);
  const file = databaseFile(dataDir);
  const needed = Math.max(minFreeBytes, existsSync(file) ? 2 * statSync(file).size : 0);
  const inWords = `${Math.floor(free / megabytes(1))} MB free on the disk of ${dataDir}`;
  if (free < needed) throw new CheckFailure(`Only ${inWords}; there should be ${Math.ceil(needed / megabytes(1))} MB.`);
  return inWords;
}

/** Requires space for an empty database, which has half a megabyte. */
export function hasSpace(dataDir: string): boolean {
  return countFreeBytes(dataDir) >= megabytes(1);
}

function countFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(findExistingParent(folder));
  return bavail * bsize;
}

const accessByOthers = 0o077;

export function checkPermissions(dataDir: string): string {
  if (!existsSync(dataDir)) return `${dataDir} is created at the first start`;
  assertWritable(dataDir);
  const { mode, uid } = statSync(dataDir);
  const me = process.getuid?.();
  const files = readdirSync(dataDir).filter((name) =>
    /^(stammtisch\.db|secrets\.json|first-invitation\.txt)/.test(name),
  );
  for (const name of files) {
    const file = statSync(join(dataDir, name));
    if (me !== undefined && file.uid !== me && me !== 0)
      throw new CheckFailure(`${join(dataDir, name)} belongs to another user. Run: chown ${me} ${dataDir}/*`);
    const isSecret = name === "secrets.json";
    if ((isSecret || (mode & 0o011) !== 0) && (file.mode & accessByOthers) !== 0)
      throw new CheckFailure(`${join(dataDir, name)} can be read by others. Run: chmod 600 ${join(dataDir, name)}`);
  }
  // The folder of the image is for all users, because PUID may be any.
  if (me !== undefined && uid !== me && me !== 0 && (mode & 0o002) === 0)
    throw new CheckFailure(`${dataDir} belongs to another user. Run: chown ${me} ${dataDir}`);
  return `only this user can read ${dataDir}`;
}

function findExistingParent(folder: string): string {
  return existsSync(folder) ? folder : findExistingParent(dirname(folder));
}

import type { ReleaseCheck } from "#contract/releases.ts";
import { megabytes } from "#contract/sizes.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import {
  ForbiddenAddressError,
  resolveBySystem,
  ssrfSafeRequest,
} from "#server/platform/security/ssrf-safe-request.ts";
import * as settingsStore from "#server/platform/settings/store.ts";
import { seconds, toIso } from "#server/time.ts";
import { version } from "#server/version.ts";
import { isOverdue } from "./backup-rules.ts";
import { findBackupState } from "./backup-store.ts";
import {
  type CheckState,
  compareVersions,
  findNewestVersion,
  isDue,
  parseState,
  switchedOff,
} from "./release-rules.ts";

/** A feed (list of releases) with hundreds of releases is smaller. */
const maxFeedBytes = megabytes(1);
/** Shorter than the grace period of a stopping server. */
const feedTimeoutMs = seconds(5);

const findState = async (db: Db): Promise<CheckState> => parseState(await settingsStore.findSetting(db, "releases"));
const lockState = async (tx: Db): Promise<CheckState> => parseState(await settingsStore.lockSetting(tx, "releases"));
const saveState = (db: Db, state: CheckState): Promise<void> =>
  settingsStore.writeSetting(db, "releases", JSON.stringify(state));

export async function findReleaseCheck({
  db,
  config,
  clock,
}: Pick<Context, "db" | "config" | "clock">): Promise<ReleaseCheck> {
  const { is_checking, newest, checked_at, has_failed } = await findState(db);
  const isNewer = newest !== null && compareVersions(newest, version) > 0;
  return {
    version,
    host: config.releasesUrl === null ? null : new URL(config.releasesUrl).host,
    is_checking,
    newer_version: isNewer ? newest : null,
    checked_at: toIso(checked_at),
    has_failed,
    is_backup_overdue: isOverdue(await findBackupState(db, clock.now()), config.backupEvery, clock.now()),
  };
}

/** Switching off deletes the last result. */
export async function switchReleaseCheck(
  context: Pick<Context, "db" | "say" | "config" | "clock" | "log">,
  isChecking: boolean,
  by: Actor,
): Promise<void> {
  const { config } = context;
  if (config.releasesUrl === null) throw refuse("notFound");
  const isChanged = await changeAsAdmin(context, by, async (tx, say) => {
    if ((await lockState(tx)).is_checking === isChecking) return false;
    await saveState(tx, { ...switchedOff, is_checking: isChecking });
    await say.audit("release-check-switched", { isOn: isChecking });
    return true;
  });
  if (isChanged) await checkReleasesIfDue(context);
}

/** Does nothing unless the daily check is due. Only one of several instances makes it. */
export async function checkReleasesIfDue({
  db,
  config,
  clock,
  log,
}: Pick<Context, "db" | "config" | "clock" | "log">): Promise<void> {
  const now = clock.now();
  const { releasesUrl } = config;
  if (releasesUrl === null || !isDue(await findState(db), now)) return;
  const isOurs = await inTransaction(db, async (tx) => {
    const state = await lockState(tx);
    if (!isDue(state, now)) return false;
    await saveState(tx, { ...state, checked_at: now });
    return true;
  });
  if (!isOurs) return;
  const result = await requestNewestVersion(releasesUrl, config.pushAllowPrivate).catch((error: unknown) => {
    log.warn("release-check-failed", { host: new URL(releasesUrl).host, reason: describeFailure(error) });
    return undefined;
  });
  await inTransaction(db, async (tx) => {
    const state = await lockState(tx);
    // An administrator has switched the check off during the request.
    if (!state.is_checking) return;
    const hasFailed = result === undefined;
    await saveState(tx, { ...state, has_failed: hasFailed, newest: hasFailed ? state.newest : result });
  });
}

/** Sends no data about this installation. */
async function requestNewestVersion(url: string, allowPrivate: boolean): Promise<string | null> {
  const { status, text } = await ssrfSafeRequest(
    url,
    {
      method: "GET",
      headers: { accept: "application/json", "user-agent": "Stammtisch" },
      maxAnswerBytes: maxFeedBytes,
    },
    { resolve: resolveBySystem, allowPrivate, stop: AbortSignal.timeout(feedTimeoutMs) },
  );
  if (status !== 200) throw new Error(`status ${status}`);
  return findNewestVersion(text);
}

/** Returns a reason that does not quote the answer. */
function describeFailure(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return "not a public address";
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === "TimeoutError" || name === "AbortError") return "timeout";
  if (code !== undefined) return code;
  return /^(status \d+|answer too large|closed)$/.test(message) ? message : name;
}

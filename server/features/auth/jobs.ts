import { deviceLifetimeMs } from "#server/features/login-throttle/rules.ts";
import { deleteExpiredKnownDevices, deleteOldAttempts } from "#server/features/login-throttle/store.ts";
import { errorFields } from "#server/platform/log.ts";
import type { Context } from "#server/platform/context.ts";
import { minute, sessionCutoffs } from "./rules.ts";
import { deleteEndedSessions } from "./store.ts";

const cleanupIntervalMs = 10 * minute;

/** Clears away ended sessions, devices that are no longer known, and old login attempts; they count for nothing already. */
export function cleanUpSessions({ db, config, clock, log }: Context): () => void {
  async function tidy(): Promise<void> {
    await deleteEndedSessions(db, sessionCutoffs(clock.now(), config.rememberDays));
    await deleteExpiredKnownDevices(db, clock.now() - deviceLifetimeMs);
    await deleteOldAttempts(db, clock.monotonic());
  }
  const timer = setInterval(() => {
    tidy().catch((error: unknown) => log.warn("cleanup-failed", errorFields(error)));
  }, cleanupIntervalMs);
  return () => clearInterval(timer);
}

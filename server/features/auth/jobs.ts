import { deviceLifetime } from "#server/features/login-throttle/rules.ts";
import { deleteExpiredKnownDevices, deleteOldAttempts } from "#server/features/login-throttle/store.ts";
import { errorFields } from "#server/platform/log.ts";
import type { Platform } from "#server/platform/platform.ts";
import { minute, sessionEdges } from "./rules.ts";
import { deleteEndedSessions } from "./store.ts";

const every = 10 * minute;

/** Clears away ended sessions, devices that are no longer known, and old login attempts; they count for nothing already. */
export function tidySessions({ db, config, clock, log }: Platform): () => void {
  async function tidy(): Promise<void> {
    await deleteEndedSessions(db, sessionEdges(clock.now(), config.rememberDays));
    await deleteExpiredKnownDevices(db, clock.now() - deviceLifetime);
    await deleteOldAttempts(db, clock.steady());
  }
  const timer = setInterval(() => {
    tidy().catch((error: unknown) => log.warn("tidy-failed", errorFields(error)));
  }, every);
  return () => clearInterval(timer);
}

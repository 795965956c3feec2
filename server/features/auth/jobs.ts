import { errorFields } from "#server/platform/log.ts";
import type { Platform } from "#server/platform/platform.ts";
import { minute, sessionEdges } from "./rules.ts";
import { deleteEndedSessions, deleteOldAttempts } from "./store.ts";

const every = 10 * minute;

/** Clears away ended sessions and old login attempts; they count for nothing already. */
export function tidySessions({ db, config, clock, log }: Platform): () => void {
  async function tidy(): Promise<void> {
    await deleteEndedSessions(db, sessionEdges(clock.now(), config.rememberDays));
    await deleteOldAttempts(db, clock.steady());
  }
  const timer = setInterval(() => {
    tidy().catch((error: unknown) => log.warn("tidy-failed", errorFields(error)));
  }, every);
  return () => clearInterval(timer);
}

import { errorFields } from "#server/platform/log.ts";
import type { Platform } from "#server/platform/platform.ts";
import { deleteExpiredResetTokens } from "./store.ts";

const everyMs = 10 * 60_000;

/** Clears expired links away; they open nothing already. */
export function tidyResetTokens({ db, clock, log }: Platform): () => void {
  const timer = setInterval(() => {
    deleteExpiredResetTokens(db, clock.now()).catch((error: unknown) => log.warn("tidy-failed", errorFields(error)));
  }, everyMs);
  return () => clearInterval(timer);
}

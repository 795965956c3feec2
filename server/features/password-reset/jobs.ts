import { errorFields } from "#server/platform/log.ts";
import type { Context } from "#server/platform/context.ts";
import { deleteExpiredResetTokens } from "./store.ts";

const cleanupIntervalMs = 10 * 60_000;

/** Clears expired links away; they open nothing already. */
export function cleanUpResetTokens({ db, clock, log }: Context): () => void {
  const timer = setInterval(() => {
    deleteExpiredResetTokens(db, clock.now()).catch((error: unknown) => log.warn("cleanup-failed", errorFields(error)));
  }, cleanupIntervalMs);
  return () => clearInterval(timer);
}

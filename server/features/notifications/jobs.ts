import { errorFields } from "#server/platform/log.ts";
import type { Context } from "#server/platform/context.ts";
import { countingWindow } from "./rules.ts";
import { deleteThrottles, takeKeptPushes } from "./store.ts";

const cleanupInterval = 60 * 60_000;

/** Sends what the last run could not send, and deletes old throttles. */
export function startNotifications({ db, clock, log, push }: Context): () => void {
  const work = async (): Promise<void> => {
    push.send(await takeKeptPushes(db));
    await deleteThrottles(db, clock.now() - countingWindow);
  };
  const start = (): void => void work().catch((error: unknown) => log.warn("cleanup-failed", errorFields(error)));
  start();
  const timer = setInterval(start, cleanupInterval);
  return () => clearInterval(timer);
}

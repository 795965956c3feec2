import { errorFields } from "#server/platform/log.ts";
import type { Platform } from "#server/platform/platform.ts";
import { evening } from "./rules.ts";
import { deletePauses, takeKeptPushes } from "./store.ts";

const tidyEvery = 60 * 60_000;

/** Sends what the last run kept, and clears away pauses that are long over. */
export function startNotifications({ db, clock, log, push }: Platform): () => void {
  const work = async (): Promise<void> => {
    push.send(await takeKeptPushes(db));
    await deletePauses(db, clock.now() - evening);
  };
  const start = (): void => void work().catch((error: unknown) => log.warn("tidy-failed", errorFields(error)));
  start();
  const timer = setInterval(start, tidyEvery);
  return () => clearInterval(timer);
}

import { repairFutureTimes } from "./db/future-times.ts";
import type { Context } from "./platform/context.ts";
import { outageFields } from "./platform/log.ts";
import { every, seconds } from "./time.ts";

type RepairContext = Pick<Context, "db" | "tables" | "clock" | "log">;

const noticedJump = seconds(5);

/** Repairs and logs times that were stored while the clock was ahead. */
export async function repairTimes({ db, tables, clock, log }: RepairContext): Promise<void> {
  for (const repaired of await repairFutureTimes(db, tables, clock.now(), clock.monotonic()))
    log.warn("times-from-the-future", repaired);
}

/** Repairs the stored times whenever the clock is set back, until the returned function is called. */
export function repairAfterJumps(context: RepairContext): () => void {
  const { clock, log } = context;
  let offset = clock.now() - clock.monotonic();
  return every(
    seconds(10),
    async () => {
      const current = clock.now() - clock.monotonic();
      if (current < offset - noticedJump) await repairTimes(context);
      offset = current;
    },
    (error) => log.warn("times-not-repaired", outageFields(error)),
  );
}

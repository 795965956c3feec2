import type { Config } from "#server/config.ts";
import { type Database, inTransaction } from "#server/db/connect.ts";
import { disableTimeouts } from "#server/db/backup-tables.ts";
import { findSetting, writeSetting } from "#server/platform/settings/store.ts";
import { countDays, countWeekdays } from "./rules.ts";
import { addToDays, addToWeekdays, deleteDays, countByQuarterHour, lockGroup, updateGroup } from "./store.ts";

const batchSize = 1000;

/** Counts the beers per day and weekday again if TIME_ZONE has changed. */
export async function recountDays({ db, kind }: Database, { timeZone }: Pick<Config, "timeZone">): Promise<void> {
  if ((await findSetting(db, "time-zone")) === timeZone) return;
  await inTransaction(db, async (tx) => {
    await disableTimeouts(tx, kind);
    const group = await lockGroup(tx);
    const days = countDays(await countByQuarterHour(tx), timeZone);
    await deleteDays(tx);
    for (let from = 0; from < days.length; from += batchSize) await addToDays(tx, days.slice(from, from + batchSize));
    if (days.length > 0) {
      await addToWeekdays(tx, countWeekdays(days));
      const first_day = days.map(({ day }) => day).toSorted()[0]!;
      await updateGroup(tx, { ...group, version: group.version + 1, first_day });
    }
    await writeSetting(tx, "time-zone", timeZone);
  });
}

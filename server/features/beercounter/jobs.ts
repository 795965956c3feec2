import { type Db, inTransaction } from "#server/db/connect.ts";
import { localDay } from "#server/platform/local-day.ts";
import { readSetting, writeSetting } from "#server/platform/settings/store.ts";
import { addUp, weekdayOf } from "./rules.ts";
import { addToDays, addToWeekdays, clearDays, countByQuarterHour, lockGroup, setGroup } from "./store.ts";

/** Counts days and weekdays anew where TIME_ZONE is not the one they were counted in. */
export async function recountDays(db: Db, timeZone: string): Promise<void> {
  if ((await readSetting(db, "time-zone")) === timeZone) return;
  await inTransaction(db, async (tx) => {
    const group = await lockGroup(tx);
    const days = addUp(await countByQuarterHour(tx), (at) => localDay(at, timeZone));
    await clearDays(tx);
    if (days.size > 0) {
      await addToDays(tx, days);
      await addToWeekdays(tx, addUp([...days], weekdayOf));
      await setGroup(tx, { ...group, version: group.version + 1, first_day: [...days.keys()].toSorted()[0]! });
    }
    await writeSetting(tx, "time-zone", timeZone);
  });
}

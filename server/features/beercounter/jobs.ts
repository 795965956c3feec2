import { type Database, inTransaction } from "#server/db/connect.ts";
import { waitPatiently } from "#server/db/portable.ts";
import { readSetting, writeSetting } from "#server/platform/settings/store.ts";
import { countDays, countWeekdays } from "./rules.ts";
import { addToDays, addToWeekdays, clearDays, countByQuarterHour, lockGroup, setGroup } from "./store.ts";

const atOnce = 1000;

/** Counts days and weekdays anew where TIME_ZONE is not the one they were counted in. */
export async function recountDays({ db, kind }: Database, timeZone: string): Promise<void> {
  if ((await readSetting(db, "time-zone")) === timeZone) return;
  await inTransaction(db, async (tx) => {
    await waitPatiently(tx, kind);
    const group = await lockGroup(tx);
    const days = countDays(await countByQuarterHour(tx), timeZone);
    await clearDays(tx);
    for (let from = 0; from < days.length; from += atOnce) await addToDays(tx, days.slice(from, from + atOnce));
    if (days.length > 0) {
      await addToWeekdays(tx, countWeekdays(days));
      const first_day = days.map(({ day }) => day).toSorted()[0]!;
      await setGroup(tx, { ...group, version: group.version + 1, first_day });
    }
    await writeSetting(tx, "time-zone", timeZone);
  });
}

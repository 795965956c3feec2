import type { Config } from "#server/config.ts";
import { type Database, inTransaction } from "#server/db/connect.ts";
import * as settingsStore from "#server/platform/settings/store.ts";
import { recount } from "./recount-actions.ts";

/** Recounts the beers per day and weekday if TIME_ZONE has changed. */
export async function onUpgrade({ db, kind }: Database, { timeZone }: Pick<Config, "timeZone">): Promise<void> {
  if ((await settingsStore.findSetting(db, "time-zone")) === timeZone) return;
  await inTransaction(db, (tx) => recount(tx, kind, timeZone));
}

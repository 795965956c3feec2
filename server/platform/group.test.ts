import { expect, test } from "vitest";

import { readConfig } from "#server/config.ts";
import { createSqliteDatabase } from "#test/database.ts";
import { createGroup } from "./group.ts";
import { createLog } from "./log.ts";
import { createSqliteBus } from "./realtime/bus-sqlite.ts";
import { writeSetting } from "./settings/store.ts";

test("group.known() returns the group's settings without a query, and follows changes that other processes make", async () => {
  const { db, close } = await createSqliteDatabase();
  let notice = () => {};
  const bus = createSqliteBus((onWrite) => {
    notice = onWrite;
    return () => {};
  }, createLog("error"));
  const group = createGroup({ config: readConfig({ NODE_ENV: "test", GROUP_NAME: "Stammtisch" }), db, bus });
  await writeSetting(db, "group", JSON.stringify({ group_name: "Skatrunde" }));
  expect(group.known().group_name).toBe("Stammtisch");
  notice();
  await expect.poll(() => group.known().group_name).toBe("Skatrunde");
  await close();
  expect([(await group.settings()).group_name, group.known().group_name]).toEqual(["Skatrunde", "Skatrunde"]);
});

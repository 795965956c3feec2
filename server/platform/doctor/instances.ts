import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "#server/config.ts";
import type { Database, Db } from "#server/db/connect.ts";
import { loadPg } from "#server/db/load-pg.ts";
import { formatCount } from "#server/platform/command.ts";
import * as leaseStore from "#server/platform/leases/store.ts";
import * as realtimeStore from "#server/platform/realtime/store.ts";
import { seconds } from "#server/time.ts";
import { CheckFailure } from "./check.ts";

const answerTime = seconds(3);

/** Writes nothing. */
export async function checkInstances(config: Config, { db, kind }: Database): Promise<string> {
  if (kind === "sqlite") return "one at most, because the data is in SQLite";
  if (!(await canHear(config.databaseDirectUrl ?? config.databaseUrl!, db)))
    throw new CheckFailure("PostgreSQL's notifications do not arrive. Behind a pooler, set DATABASE_DIRECT_URL.");
  const leases = await leaseStore.listLeases(db);
  const running = leases.filter((name) => name.startsWith("instance ")).length;
  const leader = leases.includes("game-servers") ? "one leads the game servers" : "none leads the game servers";
  return running === 0 ? "none is running" : `${formatCount(running, "instance")}, ${leader}`;
}

/** `true` if a connection to `url` receives a notification that another connection sends. */
async function canHear(url: string, db: Db): Promise<boolean> {
  const channel = `stammtisch_doctor_${randomUUID()}`;
  const pg = loadPg();
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: answerTime });
  try {
    await client.connect();
    const heard = new Promise<true>((resolve) => client.once("notification", () => resolve(true)));
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    await realtimeStore.notifyChannel(db, channel, "");
    return await Promise.race([heard, sleep(answerTime, false, { ref: false })]);
  } finally {
    await client.end().catch(() => {});
  }
}

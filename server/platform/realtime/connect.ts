import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import { clientAddressReader } from "#server/platform/http/client-address.ts";
import type { Door } from "#server/platform/http/door.ts";
import { sha256 } from "#server/platform/http/session-cookie.ts";
import type { Log } from "#server/platform/log.ts";
import type { Secrets } from "#server/platform/secrets.ts";
import type { Bus } from "./bus.ts";
import { openPostgresBus } from "./bus-postgres.ts";
import { openSqliteBus } from "./bus-sqlite.ts";
import { openRealtime, type Realtime, type RealtimeOptions } from "./realtime.ts";

/** The public key of the embedded server: the same everywhere, since the session and not the key opens a channel. */
export const embeddedKey = "stammtisch";

/** How this process hears of the others, and of the command line. */
export function openBus({ databaseUrl }: Config, database: Database, log: Log): Bus {
  return databaseUrl ? openPostgresBus({ databaseUrl, log }) : openSqliteBus(database.watchForeignWrites);
}

/** The socket server for this configuration. */
export function connectRealtime(options: {
  config: Config;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  bus: Bus;
  door: Door;
  findAccess: RealtimeOptions["findAccess"];
  channels: RealtimeOptions["channels"];
}): Realtime {
  const { config, secrets, clock, log, bus, door, findAccess, channels } = options;
  const readAddress = clientAddressReader(config.trustProxy);
  return openRealtime({
    key: embeddedKey,
    appId: embeddedKey,
    secret: secrets.realtimeSecret,
    origins: door.origins.all,
    maxSockets: config.wsMaxSockets,
    maxPerUser: config.wsMaxPerUser,
    maxPerIp: config.wsMaxPerIp,
    clock,
    log,
    bus,
    channels,
    findAccess,
    readSession: ({ headers }) => {
      const id = door.cookies.read(headers.cookie);
      return id === null ? null : sha256(id);
    },
    clientAddress: readAddress,
  });
}

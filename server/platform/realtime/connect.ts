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
import { openHostedRealtime } from "./hosted.ts";
import type { RealtimeOptions } from "./options.ts";
import { openRealtime, type Realtime } from "./realtime.ts";

/** The public key of the embedded server: the same everywhere, since the session and not the key opens a channel. */
export const embeddedKey = "stammtisch";

/** How this process hears of the others, and of the command line. */
export function openBus({ databaseUrl }: Config, database: Database, log: Log): Bus {
  return databaseUrl ? openPostgresBus({ databaseUrl, log }) : openSqliteBus(database.watchForeignWrites);
}

/** Origin of the HTTP API of a hosted service. */
function apiOrigin({ isHttps, host, port }: NonNullable<Config["realtimeUrl"]>): string {
  return `${isHttps ? "https" : "http"}://${host}${port === null ? "" : `:${port}`}`;
}

/** The host that browsers open their sockets at: the vendor's own cloud has another one for them than for servers. */
export function socketHost({ host, cluster }: NonNullable<Config["realtimeUrl"]>): string {
  return /^api(-[a-z0-9]+)?\.pusher\.com$/.test(host) ? `ws-${cluster}.pusher.com` : host;
}

/** The socket's origin where it is not our own host, e.g. `wss://ws-eu.pusher.com`. */
export function realtimeOrigin({ realtimeUrl }: Pick<Config, "realtimeUrl">): string | null {
  if (!realtimeUrl) return null;
  const { isHttps, port } = realtimeUrl;
  return `${isHttps ? "wss" : "ws"}://${socketHost(realtimeUrl)}${port === null ? "" : `:${port}`}`;
}

/** The embedded socket server, or the hosted one that is configured instead. */
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
  if (config.realtimeUrl) {
    const { key, secret, appId } = config.realtimeUrl;
    const origin = apiOrigin(config.realtimeUrl);
    return openHostedRealtime({ key, secret, appId, origin, headers: door.headers, clock, log, channels });
  }
  const readAddress = clientAddressReader(config.trustProxy);
  return openRealtime({
    key: embeddedKey,
    appId: embeddedKey,
    secret: secrets.realtimeSecret,
    origins: door.origins.all,
    maxSockets: config.wsMaxSockets,
    maxPerUser: config.wsMaxPerUser,
    maxPerIp: config.wsMaxPerIp,
    headers: door.headers,
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

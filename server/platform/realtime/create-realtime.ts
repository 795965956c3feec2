import type { Config } from "#server/config.ts";
import type { Database, Db } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import { createClientAddressReader } from "#server/platform/http/client-address.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { createRateLimiter } from "#server/platform/limits/limits.ts";
import type { Log } from "#server/platform/log.ts";
import type { RotatableSecrets } from "#server/platform/security/rotatable-secrets.ts";
import { createPostgresBus } from "./bus-postgres.ts";
import { createSqliteBus } from "./bus-sqlite.ts";
import type { Bus } from "./bus.ts";
import { createEmbeddedRealtime } from "./embedded.ts";
import { createHostedService, type HostedService } from "./hosted-service.ts";
import { createHostedRealtime } from "./hosted.ts";
import type { RealtimeOptions } from "./options.ts";
import type { Realtime } from "./realtime.ts";

/** May be the same in all installations, because access to channels depends on the session. */
export const embeddedKey = "stammtisch";

export function createBus({ databaseUrl, databaseDirectUrl }: Config, database: Database, log: Log): Bus {
  return databaseUrl
    ? createPostgresBus({ db: database.db, databaseUrl: databaseDirectUrl ?? databaseUrl, log })
    : createSqliteBus(database.watchExternalWrites, log);
}

function apiOrigin({ isHttps, host, port }: NonNullable<Config["realtimeUrl"]>): string {
  return `${isHttps ? "https" : "http"}://${host}${port === null ? "" : `:${port}`}`;
}

/** Pusher's own cloud has separate hosts for browsers and for servers; other services have one for both. */
export function socketHost({ host, cluster }: NonNullable<Config["realtimeUrl"]>): string {
  return /^api(-[a-z0-9]+)?\.pusher\.com$/.test(host) ? `ws-${cluster}.pusher.com` : host;
}

/** E.g. `wss://ws-eu.pusher.com`; `null` if sockets connect to this server. */
export function realtimeOrigin({ realtimeUrl }: Pick<Config, "realtimeUrl">): string | null {
  if (!realtimeUrl) return null;
  const { isHttps, port } = realtimeUrl;
  return `${isHttps ? "wss" : "ws"}://${socketHost(realtimeUrl)}${port === null ? "" : `:${port}`}`;
}

/** WebSocket requests per minute for each socket of an address: several, because pages retry after a refusal. */
const upgradesPerSocket = 5;

/** `null` if sockets connect to this server. */
export function createConfiguredService(
  { realtimeUrl }: Config,
  parts: { readonly db: Db; readonly clock: Clock; readonly log: Log },
): HostedService | null {
  return realtimeUrl && createHostedService({ ...realtimeUrl, origin: apiOrigin(realtimeUrl), ...parts });
}

export function createRealtime(
  options: Pick<Context, "config" | "db" | "clock" | "log" | "bus" | "http" | "leases"> & {
    rotatableSecrets: RotatableSecrets;
  } & Pick<RealtimeOptions, "findAccess" | "channels" | "settingsVersion">,
): Realtime {
  const { config, db, rotatableSecrets, clock, log, bus, http, leases, findAccess, channels, settingsVersion } =
    options;
  const service = createConfiguredService(config, { db, clock, log });
  if (service) {
    const { key, secret } = config.realtimeUrl!;
    return createHostedRealtime({ key, secret, service, leases, headers: http.headers, bus, log, channels });
  }
  const upgradeRate = { limit: upgradesPerSocket * config.wsMaxPerIp, seconds: 60 };
  return createEmbeddedRealtime({
    key: embeddedKey,
    get secret() {
      return rotatableSecrets.current("realtimeSecret");
    },
    acceptsSecret: async (matches) => rotatableSecrets.accepts("realtimeSecret", matches),
    origins: http.origins.all,
    isAllowedHost: http.origins.isAllowedHost,
    maxSockets: config.wsMaxSockets,
    maxPerUser: config.wsMaxPerUser,
    maxPerIp: config.wsMaxPerIp,
    headers: http.headers,
    log,
    bus,
    channels,
    findAccess,
    countInstances: http.countInstances,
    settingsVersion,
    readSession: ({ headers }) => {
      const id = http.cookies.readSession(headers.cookie);
      return id === null ? null : sha256(id);
    },
    addressKeys: createClientAddressReader(config.trustProxy),
    upgradeLimit: createRateLimiter(upgradeRate, { factor: config.rateLimitFactor, clock }),
  });
}

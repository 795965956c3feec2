import type { AddressInfo } from "node:net";
import { join } from "node:path";

import type { FastifyReply } from "fastify";

import type { Permission } from "#contract/endpoint.ts";
import { createApp } from "#server/app.ts";
import { type Config, readConfig } from "#server/config.ts";
import { type Database, openDatabase } from "#server/db/connect.ts";
import { migrate } from "#server/db/migrate.ts";
import { features } from "#server/features.ts";
import { insertSession } from "#server/features/auth/store.ts";
import { demoUsers } from "#server/features/demo/rules.ts";
import { insertUser, updateLastLogin } from "#server/features/members/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import { createRandomToken, sha256 } from "#server/platform/http/session-cookies.ts";
import type { Log } from "#server/platform/log.ts";
import { type HashCost, hashPassword } from "#server/platform/passwords.ts";
import { loadSecrets, withConfiguredSecrets } from "#server/platform/secrets.ts";
import { createTemporaryFolder, endWithTest } from "./cleanup.ts";
import { Client } from "./client.ts";
import { acquireDatabase, createSqliteDatabase, releaseDatabase } from "./database.ts";
import { type QueryGate, createQueryGate } from "./held-query.ts";

/** The real app on a real database of its own, with a clock that stands still until it is moved. */
export interface TestApp {
  readonly context: Context;
  readonly config: Config;
  readonly database: Database;
  readonly db: Database["db"];
  /** `http://127.0.0.1:port`; requests through it carry the Host that the app expects. */
  readonly url: string;
  /** `setAhead`: by how much it was set ahead while monotonic time went on. `slept`: milliseconds that were skipped. */
  readonly clock: Clock & { time: number; setAhead: number; slept: number };
  /** What was logged, in order. */
  readonly logLines: readonly { level: string; event: string; fields: Record<string, unknown> }[];
  /** Holds back one answer that this server waits for from its database. */
  readonly holdQuery: QueryGate["hold"];
  /** A client without cookies. */
  createClient(headers?: Record<string, string>): Client;
  /** Creates one of the demo users, optionally with other permissions than usual, and returns the id. Anna is the administrator. */
  createUser(uname: string, permissions?: readonly Permission[]): Promise<number>;
  /** The same, and returns a client that is logged in. */
  createMember(uname: string, permissions?: readonly Permission[]): Promise<Client>;
  /** Opens a second server on the same data and clock, as after a restart with other settings. It ends like the first one. */
  reopen(env?: Record<string, string>): Promise<TestApp>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** What replaces container engines. */
  readonly gameServers?: NonNullable<Parameters<typeof createApp>[0]["gameServers"]>;
  /** Serves the built pages; without them every page is a 503. */
  readonly withPages?: boolean;
  /** Keeps SQLite in a file of the data directory, for tests of commands and of second processes. */
  readonly onDisk?: boolean;
}

/** Everybody's password in the tests. */
export const password = "Zapfhahn-im-Keller-3";
/** The real cost is what server/platform/passwords.test.ts is about. */
export const hashCost: HashCost = { memory: 8, passes: 1 };
/** A Friday evening in Berlin. */
export const fridayEvening = Date.parse("2026-11-20T19:30:00Z");

let passwordHash: Promise<string> | undefined;

/**
 * Starts the app, which ends with the test or the file that it is started in, or by close(); `env` are the operator's variables.
 * Rate limits are lifted unless they are what is tested. The database is SQLite in memory, or PostgreSQL where the test runs on that.
 */
export async function createTestApp(env: Record<string, string> = {}, options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = createTemporaryFolder();
  const clock = {
    time: fridayEvening,
    setAhead: 0,
    slept: 0,
    now: () => clock.time + clock.setAhead,
    monotonic: () => clock.time,
    sleep: async (ms: number) => void (clock.slept += ms),
  };
  const databaseUrl = process.env["TEST_DATABASE"] === "postgres" ? await acquireDatabase() : undefined;
  const inMemory = databaseUrl === undefined && !options.onDisk ? await createSqliteDatabase() : undefined;
  const isMigrated = !options.onDisk;
  const app = await startApp({ dataDir, databaseUrl, inMemory, isMigrated, clock, options }, env);
  const close = endWithTest(async () => {
    await app.close();
    await inMemory?.close();
    if (databaseUrl) await releaseDatabase(databaseUrl);
  });
  return { ...app, close };
}

/** What a restart keeps. */
interface Installation {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly inMemory: Database | undefined;
  /** A copy of a database that was migrated. */
  readonly isMigrated: boolean;
  readonly clock: TestApp["clock"];
  readonly options: TestAppOptions;
}

async function startApp(installation: Installation, env: Record<string, string>): Promise<TestApp> {
  const { dataDir, databaseUrl, inMemory, clock, options } = installation;
  const config = readConfig({
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    PORT: "0",
    APP_URL: "http://localhost:3000",
    RATE_LIMIT_FACTOR: "1000",
    // Pushes that no test is about: allowed by name, and refused without a packet.
    PUSH_ALLOWED_HOSTS: "127.0.0.1",
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...env,
  });
  const lines: { level: string; event: string; fields: Record<string, unknown> }[] = [];
  const note =
    (level: string) =>
    (event: string, fields: Record<string, unknown> = {}) =>
      void lines.push({ level, event, fields });
  const log: Log = { debug: note("debug"), info: note("info"), warn: note("warn"), error: note("error") };
  const gate = createQueryGate();
  const opened = inMemory ?? openDatabase(config);
  const database = { ...opened, db: opened.db.withPlugin(gate.plugin) };
  if (!installation.isMigrated) await migrate(database.db, database.kind, clock.now());
  for (const { onUpgrade } of features) await onUpgrade?.(database, config);
  const secrets = withConfiguredSecrets(await loadSecrets(database, config.dataDir), config);
  const context = await createApp({
    config,
    database,
    secrets,
    clock,
    log,
    hashCost,
    ...(options.gameServers && { gameServers: options.gameServers }),
    ...(!options.withPages && { pagesFolder: join(dataDir, "no-pages") }),
  });
  const { fastify } = context.http;
  await fastify.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`;

  const app: TestApp = {
    context,
    config,
    database,
    db: database.db,
    url,
    clock,
    logLines: lines,
    holdQuery: gate.hold,
    createClient: (headers = {}) => new Client(url, { host: config.appUrl.host, ...headers }),
    async createUser(uname, permissions) {
      const regular = demoUsers.find((one) => one.uname === uname) ?? {
        uname,
        name: uname,
        email: `${uname}@stammtisch.example`,
        permissions: [],
      };
      const password_hash = await (passwordHash ??= hashPassword(password, hashCost));
      const { name, email } = regular;
      return insertUser(database.db, {
        uname,
        name,
        email,
        permissions: permissions ?? regular.permissions,
        password_hash,
        created_at: clock.now(),
      });
    },
    async createMember(uname, permissions) {
      const user_id = await app.createUser(uname, permissions);
      const client = app.createClient();
      const sessionId = createRandomToken();
      const now = clock.now();
      const times = { created_at: now, last_seen_at: now, confirmed_at: now };
      // What a login leaves behind. Looking at a password is made to take long.
      await insertSession(database.db, { id: sha256(sessionId), user_id, is_remembered: 0, user_agent: "", ...times });
      await updateLastLogin(database.db, user_id, now);
      const jar = { setCookie: (name: string, value: string) => client.cookies.set(name, value) };
      context.http.cookies.setSession(jar as unknown as FastifyReply, { sessionId, maxAgeSeconds: null });
      return client;
    },
    async reopen(changed = {}) {
      const again = await startApp({ ...installation, isMigrated: false }, { ...env, ...changed });
      return { ...again, close: endWithTest(again.close) };
    },
    async close() {
      const closed = fastify.close();
      await context.realtime.close();
      await context.push.close();
      fastify.server.closeAllConnections();
      await closed;
      await context.bus.close();
      if (!inMemory) await database.close();
    },
  };
  return app;
}

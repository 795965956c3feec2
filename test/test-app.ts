import type { AddressInfo } from "node:net";
import { join } from "node:path";

import type { FastifyReply } from "fastify";

import type { Permission } from "#contract/endpoint.ts";
import { createApp } from "#server/app.ts";
import { type Config, readConfig } from "#server/config.ts";
import { type Database, openDatabase } from "#server/db/connect.ts";
import { migrate } from "#server/db/migrate.ts";
import { features } from "#server/features.ts";
import { insertSession } from "#server/features/members/session-store.ts";
import { insertUser, updateLastLogin } from "#server/features/members/store.ts";
import { demoUsers } from "#server/features/operation/demo-rules.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import { createRandomToken, sha256 } from "#server/platform/http/session-cookies.ts";
import type { Log } from "#server/platform/log.ts";
import { type HashCost, hashPassword } from "#server/platform/security/passwords.ts";
import { loadSecrets, withConfiguredSecrets } from "#server/platform/security/secrets.ts";
import { createTemporaryFolder, endWithTest } from "./cleanup.ts";
import { Client } from "./client.ts";
import { acquireDatabase, createSqliteDatabase, releaseDatabase } from "./database.ts";
import { type QueryGate, createQueryGate } from "./held-query.ts";

/** The real app on a database that no other app uses, with a clock that only the test advances. */
export interface TestApp {
  readonly context: Context;
  readonly config: Config;
  readonly database: Database;
  readonly db: Database["db"];
  /**
   * The address `http://127.0.0.1:port`. Clients of the app connect to it, but send the Host header
   * of the app's public URL.
   */
  readonly url: string;
  /**
   * `offset`: milliseconds by which the wall clock differs from monotonic time. `elapsed`: total
   * milliseconds that the app asked to sleep; `sleep` returns at once.
   */
  readonly clock: Clock & { time: number; offset: number; elapsed: number };
  /** The log entries so far, in order. */
  readonly logLines: readonly { level: string; event: string; fields: Record<string, unknown> }[];
  /** Holds back one answer that the database gives to this app. */
  readonly holdQuery: QueryGate["hold"];
  /** Returns a client without cookies. */
  createClient(headers?: Record<string, string>): Client;
  /** Creates one of the demo users, by default with the usual permissions, and returns the id. Anna is the administrator. */
  createUser(uname: string, permissions?: readonly Permission[]): Promise<number>;
  /** Creates one of the demo users and returns a client that is logged in. */
  createMember(uname: string, permissions?: readonly Permission[]): Promise<Client>;
  /** Lets the present sessions last for weeks, like the option "Eingeloggt bleiben", for tests that advance the clock. */
  rememberSessions(): Promise<void>;
  /**
   * Opens a second app on the same data and clock, as after a restart with other settings. Both
   * apps are closed after the test.
   */
  reopen(env?: Record<string, string>): Promise<TestApp>;
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Replaces the drivers of game servers, so that tests need no container engine. */
  readonly gameServers?: NonNullable<Parameters<typeof createApp>[0]["gameServers"]>;
  /** `true` to serve the built pages; otherwise every page is answered with 503. */
  readonly withPages?: boolean;
  /**
   * `true` to store SQLite in a file of the data directory, for tests of commands and of second
   * processes.
   */
  readonly onDisk?: boolean;
}

/** The password of every test user. */
export const password = "Zapfhahn-im-Keller-3";
/** A low hashing cost for fast tests; passwords.test.ts of the server tests the real cost. */
export const hashCost: HashCost = { memory: 8, passes: 1 };
/** A Friday evening in Berlin. */
export const fridayEvening = Date.parse("2026-11-20T19:30:00Z");

let passwordHash: Promise<string> | undefined;

/**
 * Starts the app, which is closed after the test or the file, or by close(). `env` holds the
 * operator's variables. Rate limits are a thousand times higher than usual, unless `env` sets
 * RATE_LIMIT_FACTOR. The database is SQLite in memory, or PostgreSQL if TEST_DATABASE is
 * `postgres`.
 */
export async function createTestApp(env: Record<string, string> = {}, options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = createTemporaryFolder();
  const clock = {
    time: fridayEvening,
    offset: 0,
    elapsed: 0,
    now: () => clock.time + clock.offset,
    monotonic: () => clock.time,
    sleep: async (ms: number) => void (clock.elapsed += ms),
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

/** The parts of an app that `reopen` passes on to the second app. */
interface Installation {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly inMemory: Database | undefined;
  /** `true` if the database is a copy of a migrated one, so that no migrations need to run. */
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
    // Allows pushes to this machine in tests that are not about pushes. The connection is refused
    // without a packet on the network.
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
  const opened = inMemory ?? openDatabase(config, { maxConnections: 3 });
  const database = { ...opened, db: opened.db.withPlugin(gate.plugin) };
  if (!installation.isMigrated) await migrate(database.db, database.kind, clock.now());
  for (const { onUpgrade } of features) await onUpgrade?.(database, config);
  const secrets = withConfiguredSecrets(await loadSecrets(database, config.dataDir), config);
  const context = await createApp({
    stopping: new AbortController().signal,
    config,
    database,
    secrets,
    clock,
    log,
    hashCost,
    ...(options.gameServers && { gameServers: options.gameServers }),
    ...(!options.withPages && { pagesFolder: join(dataDir, "no-pages") }),
  });
  // Mails and webhooks are sent only by `sendDue`.
  context.outbox.start(["push"]);
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
      // Inserts the session that a login would create, because checking a password is slow by
      // design.
      await insertSession(database.db, { id: sha256(sessionId), user_id, is_remembered: 0, user_agent: "", ...times });
      await updateLastLogin(database.db, user_id, now);
      const jar = { setCookie: (name: string, value: string) => client.cookies.set(name, value) };
      context.http.cookies.setSession(jar as unknown as FastifyReply, { sessionId, maxAgeSeconds: null });
      return client;
    },
    async rememberSessions() {
      await database.db.updateTable("sessions").set({ is_remembered: 1 }).execute();
    },
    async reopen(changed = {}) {
      const again = await startApp({ ...installation, isMigrated: false }, { ...env, ...changed });
      return { ...again, close: endWithTest(again.close) };
    },
    async close() {
      const closed = fastify.close();
      await context.realtime.close();
      await context.outbox.close();
      fastify.server.closeAllConnections();
      await closed;
      await context.leases.close();
      await context.bus.close();
      if (!inMemory) await database.close();
    },
  };
  return app;
}

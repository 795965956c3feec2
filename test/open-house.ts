import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { FastifyReply } from "fastify";

import type { Permission } from "#contract/endpoint.ts";
import { openApp } from "#server/app.ts";
import { type Config, readConfig } from "#server/config.ts";
import { type Database, openDatabase } from "#server/db/connect.ts";
import { migrate } from "#server/db/migrate.ts";
import { recountDays } from "#server/features/beercounter/jobs.ts";
import { insertSession } from "#server/features/auth/store.ts";
import { insertUser, setLastLogin } from "#server/features/members/store.ts";
import type { Clock } from "#server/platform/clock.ts";
import { newSessionId, sha256 } from "#server/platform/http/session-cookie.ts";
import { hashPassword } from "#server/platform/passwords.ts";
import type { Log } from "#server/platform/log.ts";
import type { Platform } from "#server/platform/platform.ts";
import { loadSecrets } from "#server/platform/secrets.ts";
import { cast } from "./cast.ts";
import { leaveDatabase, takeDatabase } from "./database.ts";
import { type AnswerGate, openAnswerGate } from "./held-answer.ts";
import { Visitor } from "./visitor.ts";

/** The real app on a real database of its own, with a clock that stands still until it is moved. */
export interface House {
  readonly platform: Platform;
  readonly config: Config;
  readonly database: Database;
  readonly db: Database["db"];
  /** `http://127.0.0.1:port`; requests through it carry the Host that the app expects. */
  readonly url: string;
  /** `setAhead`: by how much somebody set it while the time went on as ever. */
  readonly clock: Clock & { time: number; setAhead: number };
  /** What was logged, in order. */
  readonly lines: readonly { level: string; event: string; fields: Record<string, unknown> }[];
  /** Holds back one answer that this server waits for from its database. */
  readonly holdAnswer: AnswerGate["hold"];
  /** Somebody at the door with an empty cookie jar. */
  visitor(headers?: Record<string, string>): Visitor;
  /** Seats one of the cast, optionally with other rights than usual, and returns her or his id. */
  seat(uname: string, permissions?: readonly Permission[]): Promise<number>;
  /** Seats, and lets her or him be logged in already. */
  member(uname: string, permissions?: readonly Permission[]): Promise<Visitor>;
  /** Opens a second server on the same data and clock, as after a restart with other settings. Close it before the house. */
  reopen(env?: Record<string, string>): Promise<House>;
  close(): Promise<void>;
}

/** What stands in for engines. */
type Outside = Pick<Parameters<typeof openApp>[0], "gameServers">;

/** Everybody's password in the tests. */
export const password = "Zapfhahn-im-Keller-3";
/** A Friday evening in Berlin. */
export const fridayEvening = Date.parse("2026-11-20T19:30:00Z");

let hashed: Promise<string> | undefined;

/** Opens a house; `env` are the operator's variables. Rate limits are lifted unless they are what is tested. */
export async function openHouse(env: Record<string, string> = {}, outside: Outside = {}): Promise<House> {
  const dataDir = mkdtempSync(join(tmpdir(), "stammtisch-"));
  const databaseUrl = process.env["TEST_DATABASE"] === "postgres" ? await takeDatabase() : undefined;
  const clock = { time: fridayEvening, setAhead: 0, now: () => clock.time + clock.setAhead, steady: () => clock.time };
  const house = await openOn({ dataDir, databaseUrl, clock, outside }, env);
  return {
    ...house,
    async close() {
      await house.close();
      rmSync(dataDir, { recursive: true, force: true });
      if (databaseUrl) await leaveDatabase(databaseUrl);
    },
  };
}

async function openOn(
  place: { dataDir: string; databaseUrl: string | undefined; clock: House["clock"]; outside: Outside },
  env: Record<string, string>,
): Promise<House> {
  const { dataDir, databaseUrl, clock, outside } = place;
  const config = readConfig({
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    PORT: "0",
    APP_URL: "http://localhost:3000",
    RATE_LIMIT_FACTOR: "1000",
    // Pushes that no test is about: allowed by name, and refused at its door without a packet.
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
  const gate = openAnswerGate();
  const opened = openDatabase(config);
  const database = { ...opened, db: opened.db.withPlugin(gate.plugin) };
  await migrate(database.db, database.kind, clock.now());
  await recountDays(database, config.timeZone);
  const secrets = await loadSecrets(database, config.dataDir);
  const platform = await openApp({ config, database, secrets, clock, log, ...outside });
  const { app } = platform.door;
  await app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

  const house: House = {
    platform,
    config,
    database,
    db: database.db,
    url,
    clock,
    lines,
    holdAnswer: gate.hold,
    visitor: (headers = {}) => new Visitor(url, { host: config.appUrl.host, ...headers }),
    async seat(uname, permissions) {
      const regular = cast.find((one) => one.uname === uname) ?? {
        uname,
        name: uname,
        email: `${uname}@stammtisch.example`,
        permissions: [],
      };
      const password_hash = await (hashed ??= hashPassword(password));
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
    async member(uname, permissions) {
      const user_id = await house.seat(uname, permissions);
      const visitor = house.visitor();
      const sessionId = newSessionId();
      const now = clock.now();
      const times = { created_at: now, last_seen_at: now, confirmed_at: now };
      // What a login leaves behind. Looking at a password is made to take long.
      await insertSession(database.db, { id: sha256(sessionId), user_id, is_remembered: 0, user_agent: "", ...times });
      await setLastLogin(database.db, user_id, now);
      const jar = { setCookie: (name: string, value: string) => visitor.cookies.set(name, value) };
      platform.door.cookies.set(jar as unknown as FastifyReply, sessionId, null);
      return visitor;
    },
    reopen: (changed = {}) => openOn(place, { ...env, ...changed }),
    async close() {
      const closed = app.close();
      await platform.realtime.close();
      await platform.push.close();
      app.server.closeAllConnections();
      await closed;
      await platform.bus.close();
      await database.close();
    },
  };
  return house;
}

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { type Config, readConfig } from "#server/config.ts";
import { openDatabase } from "#server/db/connect.ts";
import { migrate } from "#server/db/migrate.ts";
import { systemClock } from "#server/platform/clock.ts";
import type { Check } from "#server/platform/doctor/check.ts";
import { loadSecrets, writeDurably } from "#server/platform/secrets.ts";
import { type House, openHouse } from "#test/open-house.ts";
import { openPostOffice } from "#test/post-office.ts";
import { hostCommands } from "./commands.ts";

/** A reverse proxy, and what it does wrong. */
const wrong = { host: false, forwarded: false, upgrade: false };

let proxy: Server;
let house: House;
let config: Config;
let folder: string;

beforeAll(async () => {
  proxy = createServer((incoming, answer) => {
    const { port } = new URL(house.url);
    const sent = request(
      { port, path: incoming.url, method: incoming.method, headers: handedOn(incoming) },
      (reply) => {
        answer.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(answer);
      },
    );
    incoming.pipe(sent);
  });
  proxy.on("upgrade", (incoming, socket) => {
    if (wrong.upgrade) return socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    const upstream = connect(Number(new URL(house.url).port), "127.0.0.1");
    const head = Object.entries(handedOn(incoming)).map(([name, value]) => `${name}: ${String(value)}\r\n`);
    upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${head.join("")}\r\n`);
    upstream.pipe(socket).on("error", () => upstream.destroy());
    socket.pipe(upstream).on("error", () => socket.destroy());
    return socket;
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  const address = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  house = await openHouse({ APP_URL: address, TRUST_PROXY: "127.0.0.1", HOST: "127.0.0.1" });
  config = { ...house.config, port: Number(new URL(house.url).port) };
  folder = mkdtempSync(join(tmpdir(), "doctor-"));
});

beforeEach(() => void Object.assign(wrong, { host: false, forwarded: false, upgrade: false }));

afterAll(async () => {
  await house.close();
  proxy.closeAllConnections();
  proxy.close();
  rmSync(folder, { recursive: true });
});

function handedOn({ headers, socket }: IncomingMessage) {
  return {
    ...headers,
    ...(wrong.host && { host: "backend:3000" }),
    ...(!wrong.forwarded && { "x-forwarded-for": socket.remoteAddress }),
  };
}

async function examine(changes: Partial<Config> = {}) {
  const doctor = hostCommands.find(({ name }) => name === "doctor")!;
  const result = await doctor.runBare({
    config: { ...config, ...changes },
    clock: systemClock,
    words: [],
    options: {},
  });
  return result as { json: { ok: boolean; checks: Check[] }; text: string; isRefused: boolean };
}

/** Where nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** What `doctor` complains about. */
async function complaints(changes: Partial<Config> = {}): Promise<Record<string, string>> {
  const { json, isRefused } = await examine(changes);
  const sick = json.checks.filter(({ ok }) => !ok);
  expect([json.ok, isRefused]).toEqual([sick.length === 0, sick.length > 0]);
  return Object.fromEntries(sick.map(({ name, detail }) => [name, detail]));
}

test("a healthy installation behind a good proxy: nothing to complain about, secrets masked", async () => {
  const { json, text } = await examine({ databaseUrl: config.databaseUrl, realtimeUrl: null });
  expect(json.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(json.checks.map(({ name }) => name)).toEqual([
    ...["configuration", "node", "clock", "time-zone", "disk", "permissions", "database", "schema"],
    ...["address", "proxy", "sockets", "mail", "push", "engine"],
  ]);
  expect(text).toMatch(
    /✓ address: http:\S+ leads here\n✓ proxy: trusted: 127.0.0.1; [^\n]+\n✓ sockets: events get through/,
  );
  const { appKey, vapid } = await loadSecrets(house.database, config.dataDir);
  const masked = JSON.stringify((await examine({ smtpUrl: "smtp://anna:hunter2@127.0.0.1:1" })).json);
  for (const secret of [appKey, vapid.privateKey, "hunter2"]) expect(masked + text).not.toContain(secret);
});

test("a proxy that hides our name, passes on forged addresses, or knows no sockets is told apart", async () => {
  wrong.host = true;
  expect(await complaints()).toMatchObject({ proxy: expect.stringContaining("does not hand on the Host header") });
  wrong.host = false;
  wrong.forwarded = true;
  expect(await complaints()).toEqual({ proxy: expect.stringContaining("anybody can choose an address") });
  wrong.forwarded = false;
  wrong.upgrade = true;
  expect(await complaints()).toEqual({ sockets: expect.stringContaining("WebSockets do not get through (400)") });
});

test("an address that leads nowhere, or to something else, is told while the server runs", async () => {
  const nowhere = new URL(`http://localhost:${await closedPort()}`);
  expect(await complaints({ appUrl: nowhere })).toEqual({
    address: expect.stringContaining(
      `The server runs, but ${nowhere.origin} is not reachable from here (ECONNREFUSED)`,
    ),
  });
  const other = createServer((_, answer) => answer.end("Apache2 Default Page"));
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
  const appUrl = new URL(`http://localhost:${(other.address() as AddressInfo).port}`);
  expect(await complaints({ appUrl })).toEqual({
    address: expect.stringContaining("something else is answering there"),
  });
  other.closeAllConnections();
  other.close();
  const idle = await examine({ port: 1, appUrl: nowhere });
  expect(idle.json.ok).toBe(true);
  expect(idle.text).toContain("✓ address: not looked at: no server answers on 127.0.0.1:1");
});

test("a mail server that is away or takes no login is told", async () => {
  const away = await complaints({ smtpUrl: `smtp://127.0.0.1:${await closedPort()}` });
  expect(away).toEqual({ mail: "The mail server 127.0.0.1 cannot be used: ECONNREFUSED." });
  const office = await openPostOffice({ hasTls: false });
  expect(await complaints({ smtpUrl: `smtp://127.0.0.1:${office.port}` })).toEqual({});
  const login = await complaints({ smtpUrl: `smtp://anna:hunter2@127.0.0.1:${office.port}` });
  expect(login).toEqual({ mail: "The mail server 127.0.0.1 cannot be used: it offers no encryption." });
  expect(office.mails).toEqual([]);
  await office.close();
});

test("the engine is asked for, and missed only where a game server needs it", async () => {
  const engine = createServer((asked, answer) => answer.writeHead(asked.url === "/_ping" ? 200 : 404).end("OK"));
  const socket = join(folder, "engine.sock");
  await new Promise<void>((resolve) => void engine.listen(socket, resolve));
  expect((await examine({ engineUrl: `unix://${socket}` })).text).toContain(`✓ engine: unix://${socket} answers`);
  await new Promise((resolve) => engine.close(resolve));

  const engineUrl = `unix://${socket}`;
  expect((await examine({ engineUrl })).text).toContain("no game server needs one");
  const settings = {
    display_name: "Minecraft",
    driver: "docker",
    ref: "mc",
    query: "none",
    position: 1,
    created_at: 1,
  };
  await house.db.insertInto("game_servers").values(settings).execute();
  expect(await complaints({ engineUrl })).toEqual({
    engine: `The engine at ${engineUrl} does not answer (there is no socket).`,
  });
  await house.db.deleteFrom("game_servers").execute();
});

test("files that others can read, keys that do not fit and a damaged database are told with what to do", async () => {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const alone = { ...readConfig({ DATA_DIR: dataDir }), port: 1 };
  const { vapid, ...secrets } = await loadSecrets(house.database, config.dataDir);
  const file = join(dataDir, "secrets.json");
  const other = await loadSecrets({ ...house.database, kind: "sqlite" }, dataDir);
  writeDurably(file, JSON.stringify({ ...secrets, vapid: { ...vapid, publicKey: other.vapid.publicKey } }));
  const { db, kind, close } = openDatabase(alone);
  await migrate(db, kind, 1);
  await close();
  expect(await complaints(alone)).toEqual({ push: expect.stringContaining("secrets rotate vapid") });
  chmodSync(file, 0o644);
  expect(await complaints(alone)).toMatchObject({ permissions: expect.stringContaining(`chmod 600 ${file}`) });
  chmodSync(file, 0o600);
  for (const end of ["-wal", "-shm"]) rmSync(join(dataDir, `stammtisch.db${end}`), { force: true });
  writeFileSync(join(dataDir, "stammtisch.db"), "Prost! ".repeat(1000));
  expect(await complaints(alone)).toEqual({ database: expect.stringContaining("stammtisch restore FILE") });
});

test("a secret can be made anew by itself, and nobody is pushed to under an old key", async () => {
  const rotate = hostCommands.find(({ name }) => name === "secrets rotate")!;
  const run = async (name: string) => rotate.runBare({ config, clock: house.clock, words: [name], options: {} });
  await house.member("anna");
  const [session] = await house.db.selectFrom("sessions").select("id").execute();
  const subscription = {
    session_id: session!.id,
    endpoint: "https://push.example",
    p256dh: "",
    auth: "",
    created_at: 1,
  };
  await house.db.insertInto("push_subscriptions").values(subscription).execute();
  const subscriptions = () => house.db.selectFrom("push_subscriptions").select("endpoint").execute();

  let before = await loadSecrets(house.database, config.dataDir);
  for (const [name, secret] of [
    ["app-key", "appKey"],
    ["realtime", "realtimeSecret"],
    ["vapid", "vapid"],
  ] as const) {
    expect(await subscriptions()).toHaveLength(1);
    expect((await run(name)).json).toEqual({ rotated: name });
    const after = await loadSecrets(house.database, config.dataDir);
    expect(after[secret]).not.toEqual(before[secret]);
    expect({ ...after, [secret]: null }).toEqual({ ...before, [secret]: null });
    before = after;
  }
  expect(await subscriptions()).toEqual([]);
  expect(await house.db.selectFrom("sessions").select("id").execute(), "logins go on").toHaveLength(1);
  await expect(run("password")).rejects.toThrow("There are: app-key, realtime, vapid.");
});

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type IncomingMessage } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";

import { afterAll, beforeEach, expect, test, vi } from "vitest";

import { type Config, readConfig } from "#server/config.ts";
import { openDatabase } from "#server/db/connect.ts";
import { migrate } from "#server/db/migrate.ts";
import { tables } from "#server/features.ts";
import { createIdentity } from "#server/features/accounts/oidc-store.ts";
import { commands as beercounterCommands } from "#server/features/beers/commands.ts";
import { noPassword } from "#server/features/members/rules.ts";
import { systemClock } from "#server/platform/clock.ts";
import { type CheckResult, runCheck } from "#server/platform/doctor/check.ts";
import { loadSecrets, writeFileDurably } from "#server/platform/security/secrets.ts";
import { createCertificates } from "#test/certificates.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { runCommandOn } from "#test/command-line.ts";
import { createFakeSmtpServer } from "#test/fake-smtp-server.ts";
import { createOpenIdProvider } from "#test/openid-provider.ts";
import { createTestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";

/** Faults of the fake reverse proxy below; a test sets the ones it needs. */
const proxyFaults = { host: false, forwarded: false, upgrade: false };

const proxy = createServer((incoming, answer) => {
  instances.push(instances.shift()!);
  const { port } = new URL(instances[0]!.url);
  const sent = request(
    { port, path: incoming.url, method: incoming.method, headers: forwardedHeaders(incoming) },
    (reply) => {
      answer.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(answer);
    },
  );
  incoming.pipe(sent);
});
proxy.on("upgrade", (incoming, socket) => {
  if (proxyFaults.upgrade) return socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  const upstream = connect(Number(new URL(app.url).port), "127.0.0.1");
  const head = Object.entries(forwardedHeaders(incoming)).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${head.join("")}\r\n`);
  upstream.pipe(socket).on("error", () => upstream.destroy());
  socket.pipe(upstream).on("error", () => socket.destroy());
  return socket;
});
await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
const address = `http://localhost:${(proxy.address() as AddressInfo).port}`;
const app = await createTestApp({ APP_URL: address, TRUST_PROXY: "127.0.0.1", HOST: "127.0.0.1" }, { onDisk: true });
/** The instances among which the fake proxy distributes requests in turn. */
let instances = [app];
const config = { ...app.config, port: Number(new URL(app.url).port) };
const folder = createTemporaryFolder();

beforeEach(() => void Object.assign(proxyFaults, { host: false, forwarded: false, upgrade: false }));

afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});

function forwardedHeaders({ headers, socket }: IncomingMessage) {
  return {
    ...headers,
    ...(proxyFaults.host && { host: "backend:3000" }),
    ...(!proxyFaults.forwarded && { "x-forwarded-for": socket.remoteAddress }),
  };
}

async function runDoctor(changes: Partial<Config> = {}) {
  const doctor = commands.find(({ name }) => name === "doctor")!;
  const result = await doctor.runWithoutDatabase({
    config: { ...config, ...changes },
    clock: systemClock,
    args: [],
    options: {},
    tables,
    demoSeeds: [],
  });
  return result as { json: { ok: boolean; checks: CheckResult[] }; text: string; isFailure: boolean };
}

/** Returns a port on which no server listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs the doctor and returns the messages of its failed checks, by the name of the check. */
async function failedChecks(changes: Partial<Config> = {}): Promise<Record<string, string>> {
  const { json, isFailure } = await runDoctor(changes);
  const sick = json.checks.filter(({ ok }) => !ok);
  expect([json.ok, isFailure]).toEqual([sick.length === 0, sick.length > 0]);
  return Object.fromEntries(sick.map(({ name, detail }) => [name, detail]));
}

test(
  "the command “doctor” passes every check of a healthy installation behind a correct proxy and masks secrets",
  { tags: "postgres" },
  async () => {
    const { json, text } = await runDoctor({ databaseUrl: config.databaseUrl, realtimeUrl: null });
    expect(json.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(json.checks.map(({ name }) => name).join(" ")).toBe(
      "version configuration variables node clock time-zone disk permissions database schema counts backups instances server address proxy sockets links mail logins oidc push engine",
    );
    expect(text).toMatch(
      /✓ address: http:\S+ reaches this server\n✓ proxy: trusted: 127.0.0.1; [^\n]+\n✓ sockets: WebSockets work/,
    );
    const { appKey, vapid } = await loadSecrets(app.database, config.dataDir);
    const masked = JSON.stringify((await runDoctor({ smtpUrl: "smtp://anna:hunter2@127.0.0.1:1" })).json);
    for (const secret of [appKey, vapid.privateKey, "hunter2"]) expect(masked + text).not.toContain(secret);
  },
);

test("the command “doctor” says which links only this machine can open, without failing", async () => {
  const links = async (url: string) => (await runDoctor({ appUrl: new URL(url), port: 1 })).text;
  expect(await links("http://localhost:3000")).toContain(
    "✓ links: Links lead to http://localhost:3000, which only this machine can open. Set APP_URL",
  );
  expect(await links("https://stammtisch.example")).toContain("✓ links: lead to https://stammtisch.example\n");
});

test("the command “doctor” reports a failing OpenID provider and counts the members whom the settings lock out", async () => {
  const provider = await createOpenIdProvider();
  const given = { oidcIssuer: provider.issuer, oidcClientId: "stammtisch" };
  const { json } = await runDoctor(given);
  expect(json.checks.find(({ name }) => name === "oidc")).toMatchObject({
    ok: true,
    detail: `${provider.issuer}/ answers`,
  });
  await provider.close();
  expect(await failedChecks(given)).toEqual({ oidc: expect.stringContaining("ECONNREFUSED") });
  await app.createUser("anna");
  await app.createUser("ben");
  const identity = { issuer: `${provider.issuer}/`, subject: "id-of-anna", last_used_at: null };
  await createIdentity(app.db, { ...identity, user_id: 1, created_at: app.clock.time });
  expect(await failedChecks({ ...given, passwordLogin: false })).toMatchObject({
    logins: expect.stringMatching(/^1 of 2 members cannot log in\. Remove PASSWORD_LOGIN=0/),
  });
  await app.db.updateTable("users").set({ password_hash: noPassword }).execute();
  expect(await failedChecks()).toEqual({ logins: expect.stringContaining("2 of 2 members cannot log in. Send each") });
  await app.db.deleteFrom("users").execute();
});

test("the command “doctor” reports a proxy that drops the Host header, forwards forged addresses or refuses WebSockets", async () => {
  proxyFaults.host = true;
  expect(await failedChecks()).toMatchObject({ proxy: expect.stringContaining("does not forward the Host header") });
  proxyFaults.host = false;
  proxyFaults.forwarded = true;
  expect(await failedChecks()).toEqual({ proxy: expect.stringContaining("clients can fake their address") });
  proxyFaults.forwarded = false;
  proxyFaults.upgrade = true;
  expect(await failedChecks()).toEqual({ sockets: expect.stringContaining("WebSockets do not work (400)") });
});

test("the command “doctor” reports a load-balancing proxy that forwards forged client addresses, and no other such proxy", async () => {
  const other = await createTestApp({ APP_URL: config.appUrl.origin, TRUST_PROXY: "127.0.0.1", HOST: "127.0.0.1" });
  instances = [app, other];
  expect(await failedChecks()).toEqual({});
  proxyFaults.forwarded = true;
  expect(await failedChecks()).toEqual({ proxy: expect.stringContaining("clients can fake their address") });
  instances = [app];
});

test("the command “doctor” reports an APP_URL that is unreachable or answered by another server", async () => {
  const nowhere = new URL(`http://localhost:${await closedPort()}`);
  expect(await failedChecks({ appUrl: nowhere })).toEqual({
    address: expect.stringContaining(
      `The server runs, but ${nowhere.origin} is not reachable from here (ECONNREFUSED)`,
    ),
  });
  const other = createServer((_, answer) => answer.end("Apache2 Default Page"));
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
  const appUrl = new URL(`http://localhost:${(other.address() as AddressInfo).port}`);
  expect(await failedChecks({ appUrl })).toEqual({
    address: expect.stringContaining("something else is answering there"),
  });
  other.closeAllConnections();
  other.close();
  const proxyWithoutCertificate = createHttpsServer(createCertificates().own);
  await new Promise<void>((resolve) => void proxyWithoutCertificate.listen(0, "127.0.0.1", resolve));
  const httpsUrl = new URL(`https://localhost:${(proxyWithoutCertificate.address() as AddressInfo).port}`);
  expect(await failedChecks({ appUrl: httpsUrl })).toEqual({
    address: expect.stringMatching(/\(DEPTH_ZERO_SELF_SIGNED_CERT\). The proxy has no valid certificate for this name/),
  });
  proxyWithoutCertificate.close();
});

test("the command “doctor” fails if no server answers, if another program answers, and if the server is not ready", async () => {
  const idle = { port: await closedPort(), appUrl: new URL("http://localhost:1") };
  expect(await failedChecks(idle)).toEqual({
    server: expect.stringContaining(`No server answers on 127.0.0.1:${idle.port}. Start it;`),
  });
  expect((await runDoctor(idle)).text).toContain("✓ address: skipped: the server does not answer");
  const other = createServer((_, answer) => answer.end("Apache2 Default Page"));
  await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  expect(await failedChecks({ port })).toEqual({
    server: `Something else answers on 127.0.0.1:${port} (200). Stop it, or choose another PORT.`,
  });
  other.closeAllConnections();
  other.close();
  const deaf = vi.spyOn(app.context.bus, "isDeaf").mockReturnValue(true);
  expect(await failedChecks()).toEqual({ server: expect.stringContaining("is not ready") });
  deaf.mockRestore();
  expect(await failedChecks()).toEqual({});
});

test("the command “doctor” names variables that have no effect, and the ones that were probably meant", async () => {
  const { misspeltVariables } = readConfig({ TRUSTPROXY: "127.0.0.1", SMTP_URI: "smtp://ben:hunter2@localhost" });
  expect(await failedChecks({ misspeltVariables })).toEqual({
    variables: "TRUSTPROXY has no effect: did you mean TRUST_PROXY? SMTP_URI has no effect: did you mean SMTP_URL?",
  });
});

test("the command “doctor” does not say that there is no database if the database cannot be used", async () => {
  const { json } = await runDoctor({ databaseUrl: "postgres://localhost:1/x" });
  const about = (name: string) => json.checks.find((check) => check.name === name)?.detail;
  expect(about("database")).toContain("PostgreSQL cannot be used");
  for (const name of ["schema", "counts", "instances", "push", "engine"])
    expect(about(name), name).toBe("skipped: the database cannot be used");
});

test("the command “doctor” reports a mail server that is unreachable, offers no encryption or has a self-signed certificate", async () => {
  const away = await failedChecks({ smtpUrl: `smtp://127.0.0.1:${await closedPort()}` });
  expect(away).toEqual({ mail: "SMTP_URL: the mail server 127.0.0.1 cannot be used: ECONNREFUSED." });
  const smtp = await createFakeSmtpServer({ hasTls: false });
  expect(await failedChecks({ smtpUrl: `smtp://127.0.0.1:${smtp.port}` })).toEqual({});
  const login = await failedChecks({ smtpUrl: `smtp://anna:hunter2@127.0.0.1:${smtp.port}` });
  expect(login).toEqual({ mail: "SMTP_URL: the mail server 127.0.0.1 cannot be used: it offers no encryption." });
  expect(smtp.mails).toEqual([]);
  const selfSigned = await createFakeSmtpServer({ certificate: "own", isImplicit: true });
  const certificate = await failedChecks({ smtpUrl: selfSigned.url });
  expect(certificate).toEqual({
    mail: "SMTP_URL: the mail server localhost cannot be used: DEPTH_ZERO_SELF_SIGNED_CERT.",
  });
});

test("the command “doctor” reports an unreachable container engine only if a game server needs it", async () => {
  const engine = createServer((asked, answer) => answer.writeHead(asked.url === "/_ping" ? 200 : 404).end("OK"));
  const socket = join(folder, "engine.sock");
  await new Promise<void>((resolve) => void engine.listen(socket, resolve));
  expect((await runDoctor({ engineUrl: `unix://${socket}` })).text).toContain(`✓ engine: unix://${socket} answers`);
  await new Promise((resolve) => engine.close(resolve));
  await new Promise<void>((resolve) => void engine.listen(0, "::1", resolve));
  const network = `http://[::1]:${(engine.address() as AddressInfo).port}`;
  expect((await runDoctor({ engineUrl: network })).text).toContain(`✓ engine: ${network} answers`);
  await new Promise((resolve) => engine.close(resolve));

  const engineUrl = `unix://${socket}`;
  expect((await runDoctor({ engineUrl })).text).toContain("not needed, no game server uses it");
  const settings = {
    display_name: "Minecraft",
    driver: "docker",
    ref: "mc",
    query: "none",
    position: 1,
    created_at: 1,
  };
  await app.db.insertInto("game_servers").values(settings).execute();
  expect(await failedChecks({ engineUrl })).toEqual({
    engine: `The engine at ${engineUrl} does not answer (the socket does not exist).`,
  });
  await app.db.deleteFrom("game_servers").execute();
});

test("the command “doctor” reports readable secrets, mismatching VAPID keys and a damaged database with a solution for each", async () => {
  const dataDir = mkdtempSync(join(folder, "data-"));
  const alone = { ...config, dataDir, databaseUrl: null };
  const { vapid, ...secrets } = await loadSecrets(app.database, config.dataDir);
  const file = join(dataDir, "secrets.json");
  const other = await loadSecrets({ ...app.database, kind: "sqlite" }, dataDir);
  writeFileDurably(file, JSON.stringify({ ...secrets, vapid: { ...vapid, publicKey: other.vapid.publicKey } }));
  const { db, kind, close } = openDatabase(alone);
  await migrate(db, kind, 1);
  await close();
  expect(await failedChecks(alone)).toEqual({ push: expect.stringContaining("secrets rotate vapid") });
  chmodSync(file, 0o644);
  expect(await failedChecks(alone)).toMatchObject({ permissions: expect.stringContaining(`chmod 600 ${file}`) });
  chmodSync(file, 0o600);
  expect(await failedChecks({ ...alone, dataDir: file })).toMatchObject({
    permissions: expect.stringContaining(`${file} is not a writable folder`),
  });
  for (const end of ["-wal", "-shm"]) rmSync(join(dataDir, `stammtisch.db${end}`), { force: true });
  writeFileSync(join(dataDir, "stammtisch.db"), "Prost! ".repeat(1000));
  expect(await failedChecks(alone)).toEqual({ database: expect.stringContaining("stammtisch restore FILE") });
});

test("the command “secrets rotate” replaces only the named secret, and deletes push subscriptions only for the VAPID key", async () => {
  const rotate = commands.find(({ name }) => name === "secrets rotate")!;
  const run = async (name: string) =>
    rotate.runWithoutDatabase({ config, clock: app.clock, args: [name], options: {}, tables, demoSeeds: [] });
  await app.createMember("anna");
  const [session] = await app.db.selectFrom("sessions").select("id").execute();
  const subscription = {
    session_id: session!.id,
    endpoint: "https://push.example",
    p256dh: "",
    auth: "",
    created_at: 1,
  };
  await app.db.insertInto("push_subscriptions").values(subscription).execute();
  const subscriptions = () => app.db.selectFrom("push_subscriptions").select("endpoint").execute();

  let before = await loadSecrets(app.database, config.dataDir);
  for (const [name, secret] of [
    ["app-key", "appKey"],
    ["realtime", "realtimeSecret"],
    ["vapid", "vapid"],
  ] as const) {
    expect(await subscriptions()).toHaveLength(1);
    expect((await run(name)).json).toEqual({ rotated: name });
    const after = await loadSecrets(app.database, config.dataDir);
    expect(after[secret]).not.toEqual(before[secret]);
    expect({ ...after, [secret]: null, previous: null }).toEqual({ ...before, [secret]: null, previous: null });
    before = after;
  }
  expect(await subscriptions()).toEqual([]);
  expect(await app.db.selectFrom("sessions").select("id").execute(), "logins go on").toHaveLength(1);
  await expect(run("password")).rejects.toThrow("There are: app-key, realtime, vapid.");
  const configured = { ...config, appKey: "x".repeat(32) };
  const context = { clock: app.clock, args: ["app-key"], options: {}, tables, demoSeeds: [] };
  await expect(rotate.runWithoutDatabase({ ...context, config: configured })).rejects.toThrow("APP_KEY is set");
});

test("a check of the command “doctor” that times out fails with the detail TimeoutError", async () => {
  const tooLong = async () => Promise.reject(new DOMException("", "TimeoutError"));
  expect(await runCheck("proxy", tooLong)).toEqual({ name: "proxy", ok: false, detail: "TimeoutError" });
});

test(
  "the command “doctor” reports stored counts that differ from the beers, until the command “beers recount” corrects them",
  { tags: "postgres" },
  async () => {
    const ben = await app.createMember("ben");
    for (const kind of [null, "0,0"]) expect((await ben.post("/api/beercounter/counters", { kind })).status).toBe(200);
    expect((await runDoctor()).text).toContain("✓ counts: those of 2 beers");
    const { db } = app;
    const spoiled = [
      db.updateTable("beer_group").set({ total: 3 }),
      db.updateTable("beer_group").set({ first_day: "2026-01-01" }),
      db.updateTable("beer_members").set({ total: 2, monday: 1 }),
      db.updateTable("beer_member_days").set({ alcohol_free: 2 }),
    ];
    for (const query of spoiled) await query.execute();
    const wrong = ["total", "first_day", "members", "days"].join(", ");
    expect(await failedChecks()).toEqual({ counts: `Not those of the beers: ${wrong}. Run: stammtisch beers recount` });
    expect((await runCommandOn(app, beercounterCommands, "beers recount", [])).json).toEqual({ beers: 2 });
    expect(await failedChecks()).toEqual({});
    expect((await ben.get("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 2, userCounterVal: 2 });
  },
);

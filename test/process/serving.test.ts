import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { runInProcess } from "#test/command-line.ts";
import { subscribeToChannel } from "./channel-socket.ts";
import { holdRequest, statusOf } from "./held-request.ts";
import { counters } from "./load.ts";
import { startServerProcess, type ServerProcess } from "./server-process.ts";

const dist = join(import.meta.dirname, "../../dist");
let server: ServerProcess;
let anna: Client;

beforeAll(async () => {
  const file = join(createTemporaryFolder(), "stammtisch.env");
  writeFileSync(file, "SMTP_URI=smtp://ben:hunter2@localhost\n");
  server = await startServerProcess({
    env: {
      SMTP_URL: "smtp://post:Briefkasten-hinten-links@127.0.0.1:1",
      MAIL_FROM: "post@stammtisch.example",
      LOG_LEVEL: "debug",
      STAMMTISCH_ENV_FILE: file,
      TRUSTPROXY: "127.0.0.1",
    },
  });
  [anna] = (await server.createMembers("anna")) as [Client];
});

afterAll(() => server[Symbol.asyncDispose]());

const linesWith = (event: string) => server.output.errors.split("\n").filter((line) => line.includes(`"${event}"`));

test("a start warns of each misspelt variable, in the environment and in its file, and does not log the value", () => {
  expect(linesWith("unknown-variable").map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: "warn", variable: "TRUSTPROXY", hint: "did you mean TRUST_PROXY?" }),
    expect.objectContaining({ level: "warn", variable: "SMTP_URI", hint: "did you mean SMTP_URL?" }),
  ]);
  expect(server.output.errors).not.toContain("hunter2");
});

test("the server's logs, answers, built files and command line contain no secrets", async () => {
  const commandLine = readFileSync(`/proc/${server.pid}/cmdline`, "utf8");
  const answers = await Promise.all(
    ["/", "/api/config", "/readyz", "/secrets.json", "/api/nowhere"].map((path) => anna.get(path)),
  );
  const doctor = await runInProcess(["doctor"], server.env);

  const { appKey, realtimeSecret, vapid } = JSON.parse(readFileSync(join(server.dataDir, "secrets.json"), "utf8"));
  const secrets: string[] = [
    appKey,
    realtimeSecret,
    vapid.privateKey,
    "Briefkasten-hinten-links",
    ...anna.cookies.values(),
  ];
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(20);
  const bundle = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect(bundle.length).toBeGreaterThan(20);
  await expect.poll(() => linesWith("request").length).toBeGreaterThanOrEqual(answers.length);
  const texts = [commandLine, server.output.errors, doctor.printed, ...answers.map(({ text }) => text), ...bundle];
  expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  // Stdout contains only the first invitation, whose token is not one of these secrets.
  expect(secrets.filter((secret) => server.output.out.includes(secret))).toEqual([]);
});

test("the server answers the request in flight on SIGTERM, tells sockets to reconnect, and exits with 0", async () => {
  const sockets = await Promise.all([subscribeToChannel(server, anna), subscribeToChannel(server, anna)]);
  const slow = await holdRequest(server, anna, counters, {});
  const probe = server.createClient({ connection: "close" });
  const ask = async (path: string) => (await probe.get(path).catch(() => null))?.status ?? "refused";
  const ended = server.exited();
  server.signal("SIGTERM");
  const seen: string[] = [];
  const look = async () => seen.push(`${await ask("/readyz")} ${await ask("/healthz")}`) && seen.at(-1);
  await expect.poll(look, { interval: 20 }).toContain("refused");
  expect(seen, "a proxy sends new requests elsewhere, but they are still answered").toContain("503 200");
  expect(statusOf(await slow.release())).toBe(200);
  const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code));
  expect(codes).toEqual([4100, 4100]);
  expect(await ended).toMatchObject({ code: 0, signal: null });
  expect(await server.call("beers", "export"), "the beer of the answered request").toHaveLength(1);
  for (const event of ["listening", "stopping", "stopped"]) expect(linesWith(event)).toHaveLength(1);
});

test("a start logs once that only this machine can open the links, unless APP_URL is a public address", async () => {
  expect(linesWith("links-are-local")).toEqual([expect.stringContaining(`http://localhost:${server.port}`)]);
  expect(linesWith("links-are-local")[0]).toContain("Set APP_URL");
  server.env["APP_URL"] = "https://stammtisch.example";
  await server.start();
  await expect.poll(() => linesWith("listening")).toHaveLength(1);
  expect(linesWith("links-are-local")).toEqual([]);
});

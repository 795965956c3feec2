import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { fixtures } from "#test/fixtures.ts";
import { openPages, subscribeToChannel } from "#test/process/channel-socket.ts";
import { holdRequest, statusOf } from "#test/process/held-request.ts";
import { counters } from "#test/process/load.ts";
import { createServerProcess, startServerProcess } from "#test/process/server-process.ts";
import { upload } from "#test/upload.ts";
import { listWorkers } from "#test/workers.ts";
import { databases, report } from "./report.ts";

const inFlight = 100;
const openSockets = 500;

test.for(databases)(
  "the server under load answers requests in flight on SIGTERM, tells sockets to reconnect, and exits with 0 (%s)",
  async (db) => {
    await using server = await startServerProcess({
      database: db,
      env: { WS_MAX_PER_USER: "1000", WS_MAX_PER_IP: "1000" },
    });
    const members = await server.createMembers("anna", "bert", "carla", "dora");
    const of = (index: number) => members[index % members.length]!;
    const sockets = await openPages(server, members, openSockets);
    const parked = await Promise.all(
      Array.from({ length: inFlight }, async (_, index) => holdRequest(server, of(index), counters, {})),
    );
    const healthz = async () => (await members[0]!.get("/healthz").catch(() => null))?.status ?? "refused";

    const began = performance.now();
    const ended = server.exited();
    server.signal("SIGTERM");
    await expect.poll(healthz).not.toBe(200);
    const late = await healthz();
    const statuses = (await Promise.all(parked.map(async (request) => request.release()))).map(statusOf);
    const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code));
    const { code } = await ended;
    const ms = Math.round(performance.now() - began);
    await server.start();
    const { KSKCounterVal } = (await members[0]!.get(counters)).json;

    const answered = statuses.filter((status) => status === 200).length;
    const told = codes.filter((close) => close === 4100).length;
    report(
      "T038",
      {
        answered,
        "told 4100": told,
        "exit code": code ?? -1,
        ms,
        "counted after the restart": KSKCounterVal,
        "late request": late,
      },
      "100 answered and counted, 500 told, exit 0 within 8000 ms",
      db,
    );
    expect([answered, told, code, KSKCounterVal]).toEqual([inFlight, openSockets, 0, inFlight]);
    expect(ms).toBeLessThan(8000);
    expect(["refused", 503]).toContain(late);
  },
);

test.for(["gone", "silent"] as const)("the server exits with 0 on SIGTERM while PostgreSQL is %s", async (what) => {
  await using server = await createServerProcess({ database: "postgres" });
  const { port } = new URL(server.env["DATABASE_URL"]!);
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const postgres = connect(Number(port), "127.0.0.1");
    client.pipe(postgres).pipe(client);
    for (const socket of [client, postgres]) sockets.push(socket.on("error", () => {}));
  });
  await new Promise<void>((resolve) => void proxy.listen(0, "127.0.0.1", resolve));
  const url = Object.assign(new URL(server.env["DATABASE_URL"]!), { port: (proxy.address() as AddressInfo).port });
  server.env["DATABASE_URL"] = url.href;
  await server.start();
  const [anna] = await server.createMembers("anna");
  await subscribeToChannel(server, anna!);
  if (what === "gone") proxy.close();
  for (const socket of sockets) void (what === "gone" ? socket.destroy() : socket.unpipe().pause());
  await sleep(1000);
  const began = performance.now();
  const ended = server.exited();
  server.signal("SIGTERM");
  const { code } = await ended;
  const ms = Math.round(performance.now() - began);
  report("T038", { [`PostgreSQL ${what}, ms`]: ms, "exit code": code ?? -1 }, "exit 0 within 8000 ms", "postgres");
  expect(code).toBe(0);
  expect(ms).toBeLessThan(8000);
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

test("the server exits with 0 on SIGTERM while a picture worker hangs, and leaves no process behind", async () => {
  await using server = await startServerProcess();
  const members = await server.createMembers("anna", "ben");
  await upload(members[0]!, fixtures.png);
  const [worker] = listWorkers(server.pid, "picture-worker.ts");
  process.kill(worker!, "SIGSTOP");
  const uploads = members.map((member) => upload(member, fixtures.png));
  const answered = (await Promise.race(uploads)).status;
  const began = performance.now();
  const ended = server.exited();
  server.signal("SIGTERM");
  const { code } = await ended;
  const ms = Math.round(performance.now() - began);
  report("T038", { "decoding, ms": ms, "exit code": code ?? -1 }, "exit 0 within 8000 ms");
  expect([answered, code]).toEqual([201, 0]);
  expect(ms).toBeLessThan(8000);
  expect((await Promise.allSettled(uploads)).map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect.poll(() => existsSync(`/proc/${worker}`)).toBe(false);
});

test.for(["SIGTERM", "SIGINT"] as const)(
  "a second %s ends the server within a second, even if requests and sockets are still open",
  async (signal) => {
    await using server = await startServerProcess();
    const [anna] = await server.createMembers("anna");
    const parked = await Promise.all(
      Array.from({ length: inFlight }, async () => holdRequest(server, anna!, counters, {})),
    );
    await subscribeToChannel(server, anna!);
    const ended = server.exited();
    server.signal(signal);
    expect(await Promise.race([ended, sleep(500, "waiting")])).toBe("waiting");
    const began = performance.now();
    // Repeats the signal: on a busy machine, a signal within 500 ms of the first may be merged with
    // it.
    do server.signal(signal);
    while ((await Promise.race([ended, sleep(200, "waiting")])) === "waiting");
    const ms = Math.round(performance.now() - began);
    report("T038", { [`second ${signal}, ms`]: ms }, "1000 ms");
    expect(ms).toBeLessThan(1000);
    for (const request of parked) request.abandon();
  },
);

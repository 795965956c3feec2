import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { openPages } from "#test/process/channel-socket.ts";
import { counters, tapUntil, tap } from "#test/process/load.ts";
import { listBookedKeys, listLostKeys, startServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { databases, report } from "./report.ts";

const restarts = 50;
const pauseMs = 60_000;
const openSockets = 40;
const unames = ["anna", "bert", "carla", "dora"];

/** Returns the number of acknowledged beers that are missing, plus that of unacknowledged or duplicate beers. */
async function deviationsOf(server: ServerProcess, answered: readonly string[]): Promise<number> {
  const booked = await listBookedKeys(server);
  return (await listLostKeys(server, answered)).length + Math.abs(booked.length - answered.length);
}

test.for(databases)(
  "all of fifty restarts under load succeed, and no acknowledged beer is lost or counted twice (%s)",
  { timeout: 900_000 },
  async (db) => {
    await using server = await startServerProcess({ database: db });
    const members = await server.createMembers(...unames);
    let isOver = false;
    const clients = members.map(async (member) => tapUntil(member, () => isOver));
    const began = performance.now();
    const codes: (number | null)[] = [];
    for (let round = 0; round < restarts; round += 1) {
      const ended = server.exited();
      server.signal(round % 2 === 0 ? "SIGTERM" : "SIGKILL");
      codes.push((await ended).code);
      // start() throws if the server does not answer.
      await server.start();
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    isOver = true;
    const answered = (await Promise.all(clients)).flat();
    const deviations = await deviationsOf(server, answered);
    report(
      "T107",
      { starts: restarts, seconds, beers: answered.length, "lost or double": deviations },
      "50 of 50 starts within 60 s, lost or double 0",
      db,
    );
    expect(deviations).toBe(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(codes).toEqual(Array.from({ length: restarts }, (_, round) => (round % 2 === 0 ? 0 : null)));
  },
);

test.for(databases)(
  "after the server process was suspended for a minute, open pages still receive every beer (%s)",
  async (db) => {
    await using server = await startServerProcess({ database: db, env: { WS_MAX_PER_USER: "100" } });
    const members = await server.createMembers(...unames);
    const pages = await openPages(server, members, openSockets);
    let isOver = false;
    const clients = members.map(async (member) => tapUntil(member, () => isOver));
    await sleep(2000);
    server.signal("SIGSTOP");
    await sleep(pauseMs);
    server.signal("SIGCONT");
    const began = performance.now();
    await members[0]!.get(counters);
    const firstMs = Math.round(performance.now() - began);
    await sleep(3000);
    isOver = true;
    const answered = (await Promise.all(clients)).flat();
    const last = await tap(members[0]!, "the-last-one");
    const hearing = () =>
      pages.filter(({ events }) => events.at(-1)?.data["counterVal"] === last.json.KSKCounterVal).length;
    await expect.poll(hearing, { timeout: 10_000 }).toBe(openSockets);
    const deviations = await deviationsOf(server, [...answered, "the-last-one"]);
    report(
      "T108",
      {
        seconds: pauseMs / 1000,
        "first answer, ms": firstMs,
        "pages that hear": hearing(),
        beers: answered.length + 1,
        "lost or double": deviations,
      },
      "normal within 10000 ms, every page hears, lost or double 0",
      db,
    );
    expect(deviations).toBe(0);
    expect(firstMs).toBeLessThan(10_000);
  },
);

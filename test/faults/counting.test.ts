import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { openPages } from "#test/process/channel-socket.ts";
import { counters } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { databases, report } from "./report.ts";

const connections = 200;
const tapsEach = 50;
const members = 20;
const readers = 10;
const listeners = 50;

test.for(databases)(
  "counts are exact under load in every answer to a member and on every open page (%s)",
  async (db) => {
    await using server = await startServerProcess({ database: db, env: { WS_MAX_PER_USER: "100" } });
    const drinkers = await server.createMembers(...Array.from({ length: members }, (_, index) => `drinker-${index}`));
    const sockets = await openPages(server, drinkers, listeners);
    const before = (await drinkers[0]!.get(counters)).json.KSKCounterVal as number;

    let [attempted, answered, reads, wrongReads, failures] = [0, 0, 0, 0, 0];
    const returned: number[] = [];
    const tapping = Array.from({ length: connections }, async (_, index) => {
      for (let count = 0; count < tapsEach; count += 1) {
        attempted += 1;
        const { status, json } = await drinkers[index % members]!.post(counters);
        answered += 1;
        if (status === 200) returned.push(json.KSKCounterVal);
        else failures += 1;
      }
    });
    const phase = { isOver: false };
    const reading = Array.from({ length: readers }, async (_, index) => {
      let last = 0;
      while (!phase.isOver) {
        const least = before + answered;
        const { KSKCounterVal } = (await drinkers[index]!.get(counters)).json;
        reads += 1;
        if (KSKCounterVal < Math.max(last, least) || KSKCounterVal > before + attempted) wrongReads += 1;
        last = KSKCounterVal;
      }
    });
    await Promise.all(tapping);
    const lastAnswer = performance.now();
    phase.isOver = true;
    await Promise.all(reading);

    const total = before + connections * tapsEach;
    const isExact =
      new Set(returned).size === returned.length &&
      Math.min(...returned) === before + 1 &&
      Math.max(...returned) === total;
    /**
     * Returns the totals that each page received. The filter is needed because the channel also
     * carries milestones.
     */
    const listTotals = () =>
      sockets.map(({ events }) =>
        events.flatMap(({ event, data }) => (event === "updated" ? [data["counterVal"] as number] : [])),
      );
    while (listTotals().some((values) => values.at(-1) !== total) && performance.now() - lastAnswer < 5000) {
      await sleep(10);
    }
    const told = listTotals();
    const regressions = told.flatMap((values) =>
      values.filter((value, index) => index > 0 && value <= values[index - 1]!),
    ).length;
    const committed = new Set(returned);
    const unfounded = told.flat().filter((value) => !committed.has(value)).length;
    const late = Math.round(Math.max(...sockets.map(({ events }) => events.at(-1)!.at)) - lastAnswer);
    report(
      "T003",
      {
        answers: returned.length,
        failures,
        reads,
        wrongReads,
        "events a socket": told[0]!.length,
        regressions,
        unfounded,
        "last event after the last answer, ms": late,
      },
      "10000 different numbers without a gap, 0 wrong reads, 0 regressions, last event within 2000 ms",
      db,
    );
    expect([returned.length, isExact, failures, wrongReads, regressions, unfounded]).toEqual([
      connections * tapsEach,
      true,
      0,
      0,
      0,
      0,
    ]);
    expect(told.map((values) => values.at(-1))).toEqual(told.map(() => total));
    expect(late).toBeLessThan(2000);
  },
);

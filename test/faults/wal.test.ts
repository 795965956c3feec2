import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { tap } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { percentile, report } from "./report.ts";

const minutes = Number(process.env["MINUTES"] ?? 2);
const everyMs = 20;
const mebibyte = 1_048_576;

test(
  "SQLite's write-ahead log stays below 64 MiB under load, and shrinks again after a long read transaction",
  { timeout: (minutes + 3) * 60_000 },
  async () => {
    await using server = await startServerProcess();
    const members = await server.createMembers("anna", "bert");
    const file = join(server.dataDir, "stammtisch.db");
    const logMebibytes = () => statSync(`${file}-wal`).size / mebibyte;
    const staying = new DatabaseSync(file, { readOnly: true });
    const state = { isOver: false };
    const [times, waiting]: [number[], Promise<unknown>[]] = [[], []];
    const writing = (async () => {
      for (let count = 0; !state.isOver; count += 1) {
        const began = performance.now();
        waiting.push(tap(members[count % 2]!, `tap-number-${count}`).then(() => times.push(performance.now() - began)));
        await sleep(everyMs);
      }
      await Promise.all(waiting);
    })();
    const reading = (async () => {
      while (!state.isOver) {
        await Promise.all(["user", "timely"].map(async (kind) => members[0]!.get(`/api/beercounter/stats/${kind}`)));
        await server.run("backup", join(server.dataDir, `copy-${Date.now()}`));
      }
    })();
    await sleep((minutes * 60_000) / 2);
    const usual = logMebibytes();
    staying.exec("begin; select count(*) from beers");
    await sleep((minutes * 60_000) / 2);
    const held = logMebibytes();
    staying.exec("rollback");
    staying.close();
    await sleep(3000);
    state.isOver = true;
    await Promise.all([writing, reading]);
    const after = logMebibytes();
    const p99 = percentile(times, 0.99);
    report(
      "T081",
      {
        minutes,
        taps: times.length,
        "usual, MiB": usual.toFixed(1),
        "while one stays, MiB": held.toFixed(1),
        "after, MiB": after.toFixed(1),
        "tap p99, ms": p99,
      },
      "64 MiB usually, 16 MiB after somebody else's long reader, tap p99 100 ms",
    );
    expect([usual < 64, after <= 16]).toEqual([true, true]);
    expect(p99).toBeLessThanOrEqual(100);
  },
);

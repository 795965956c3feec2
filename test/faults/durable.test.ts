import { readFileSync } from "node:fs";
import { join } from "node:path";

import pg from "pg";
import { expect, test } from "vitest";

import { tap } from "#test/process/load.ts";
import { createServerProcess, startServerProcess } from "#test/process/server-process.ts";
import { strace, ensureInstalled } from "../../scripts/system-programs.ts";
import { report } from "./report.ts";

const taps = 100;

test("the server writes a tap durably to the disk (fsync) before it answers", async () => {
  const tracer = await ensureInstalled(strace);
  if (!tracer) throw new Error("strace is missing");
  await using place = await createServerProcess();
  const trace = join(place.dataDir, "trace");
  const calls = "trace=read,write,writev,sendto,recvfrom,fsync,fdatasync";
  await using server = await startServerProcess({
    sharedWith: place,
    wrapper: [tracer, "-D", "-f", "-s", "120", "-e", calls, "-o", trace],
  });
  const [anna] = await server.createMembers("anna");
  for (let count = 0; count < taps; count += 1) expect((await tap(anna!, `traced-tap-${count}`)).status).toBe(200);
  // The trace is written a moment later than the answers.
  await expect.poll(() => countTaps(trace).answered).toBe(taps);
  const { durable } = countTaps(trace);
  report("T004", durable, `${taps} of ${taps}`);
  expect(durable).toBe(taps);
});

/** Returns the number of answered taps in a trace of system calls, and that of taps synced to the disk before. */
function countTaps(trace: string): { answered: number; durable: number } {
  const counts = { answered: 0, durable: 0 };
  let state: "idle" | "read" | "synced" = "idle";
  for (const line of readFileSync(trace, "latin1").split("\n")) {
    if (line.includes('"POST /api/beercounter/counters')) state = "read";
    else if (state === "read" && /\bf(data)?sync\(\d+.*= 0$|<\.\.\. f(data)?sync resumed>.*= 0$/.test(line))
      state = "synced";
    else if (state !== "idle" && line.includes('"HTTP/1.1 200')) {
      counts.answered += 1;
      if (state === "synced") counts.durable += 1;
      state = "idle";
    }
  }
  return counts;
}

test.skipIf(!process.env["TEST_DATABASE_URL"])(
  "the server lets PostgreSQL confirm commits only after writing them to the disk",
  async () => {
    await using server = await startServerProcess({ database: "postgres" });
    await server.createMembers("anna");
    const client = new pg.Client(server.env["DATABASE_URL"]);
    await client.connect();
    const overridden = await client.query(
      "select 1 from pg_db_role_setting where setconfig::text like '%synchronous_commit%'",
    );
    const { rows } = await client.query<{ synchronous_commit: string }>("show synchronous_commit");
    await client.end();
    report("T004", rows[0]!.synchronous_commit, "on", "postgres");
    expect(rows[0]?.synchronous_commit).toBe("on");
    expect(overridden.rowCount).toBe(0);
  },
);

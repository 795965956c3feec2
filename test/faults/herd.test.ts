import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { tap } from "#test/process/load.ts";
import { createServerProcess } from "#test/process/server-process.ts";
import { databases, percentile, report } from "./report.ts";

const pages = 1000;
const beers = 40;
const everyMs = 500;
/** Over how many milliseconds so many pages spread their reloads: reloadDelay() in web/features/beercounter/rules.ts. */
const spreadMs = pages * 5;
const charts = ["user", "timely"].map((name) => `/api/beercounter/stats/${name}`);

test.for(databases)(
  "a thousand pages that reload the charts after every beer get them quickly (%s)",
  async (database) => {
    await using server = await createServerProcess({ database, env: { RATE_LIMIT_FACTOR: "10000" } });
    await server.start();
    const members = await server.createMembers(...Array.from({ length: 10 }, (_, index) => `guest-${index}`));
    const times: number[] = [];
    let failed = 0;
    const reloads = new Map<number, Promise<void>>();

    /** As a page does: one reload at a random moment, which shows all beers until then. */
    async function reload(page: number): Promise<void> {
      await sleep(spreadMs * Math.random());
      reloads.delete(page);
      await Promise.all(
        charts.map(async (path) => {
          const began = performance.now();
          const status = await members[page % members.length]!.get(path).then(
            (answer) => answer.status,
            () => 0,
          );
          times.push(performance.now() - began);
          if (status !== 200) failed += 1;
        }),
      );
    }

    const begun: Promise<void>[] = [];
    for (let beer = 0; beer < beers; beer += 1) {
      expect((await tap(members[beer % members.length]!, randomUUID())).status).toBe(200);
      for (let page = 0; page < pages; page += 1) {
        if (reloads.has(page)) continue;
        reloads.set(page, reload(page));
        begun.push(reloads.get(page)!);
      }
      await sleep(everyMs);
    }
    await Promise.all(begun);
    const p99 = percentile(times, 0.99);
    report(
      "T086",
      { pages, reloads: begun.length, failed, "statistics p99, ms": p99 },
      "p99 300 ms, 0 errors",
      database,
    );
    expect(failed).toBe(0);
    expect(p99).toBeLessThanOrEqual(300);
  },
);

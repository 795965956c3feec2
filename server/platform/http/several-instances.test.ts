import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { connectSocket } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

const env = { RATE_LIMIT_FACTOR: "0.01", WS_MAX_PER_USER: "4" };
/** Beers a minute and a day that the contract allows a member, multiplied by the factor. */
const [perMinute, perDay] = [6, 20];

describe("two instances on one PostgreSQL", { tags: "postgres-only" }, () => {
  let one: TestApp;
  let other: TestApp;
  let anna: Client;

  beforeEach(async () => {
    one = await createTestApp(env);
    other = await one.reopen();
    anna = await one.createMember("anna");
    for (const app of [one, other]) await expectInstances(app, 2);
  });

  async function expectInstances(app: TestApp, instances: number): Promise<void> {
    await expect.poll(() => app.context.leases.countInstances()).toBe(instances);
  }

  /** Taps alternately on these instances until all of them refuse. Returns the number of booked beers. */
  async function tapUntilRefused(...apps: TestApp[]): Promise<number> {
    const clients = apps.map((app) => anna.through(app));
    for (let booked = 0; ;) {
      const statuses = [];
      for (const client of clients) statuses.push((await client.post("/api/beercounter/counters")).status);
      const accepted = statuses.filter((status) => status === 200).length;
      if (accepted === 0) return booked;
      booked += accepted;
    }
  }

  test("a member can book as many beers a minute and a day on both as on one, and the remaining one accepts all of them", async () => {
    expect(await tapUntilRefused(one, other)).toBe(perMinute);
    let today = perMinute;
    for (let minute = 0; minute < 5; minute += 1) {
      one.clock.time += 60_000;
      today += await tapUntilRefused(one, other);
    }
    expect(today).toBe(perDay);
    await other.close();
    await expectInstances(one, 1);
    one.clock.time += 60_000;
    expect(await tapUntilRefused(one)).toBe(perMinute);
  });

  test("a member can open as many sockets on both as on one", async () => {
    for (const app of [one, other]) {
      for (let socket = 0; socket < 2; socket += 1) await connectSocket(app, anna.cookieHeader);
      await expect(connectSocket(app, anna.cookieHeader)).rejects.toThrow("503");
    }
    await other.close();
    await expectInstances(one, 1);
    for (let socket = 0; socket < 2; socket += 1) await connectSocket(one, anna.cookieHeader);
  });
});

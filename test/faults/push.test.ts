import { afterAll, beforeAll, expect, test } from "vitest";

import { type House, openHouse } from "#test/open-house.ts";
import { openPushService, type PushService } from "#test/push-service.ts";
import type { Visitor } from "#test/visitor.ts";

let service: PushService;
let house: House;
let drinkers: Visitor[];

beforeAll(async () => {
  service = await openPushService();
  house = await openHouse({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
  drinkers = await Promise.all(Array.from({ length: 20 }, (_, number) => house.member(`member-${number}`)));
});

afterAll(async () => {
  await house.close();
  await service.close();
});

test("A push service that says nothing slows no beer, and is given up after ten seconds", async () => {
  const quiet = await rounds();
  for (const [number, drinker] of drinkers.entries()) {
    for (const device of ["phone", "laptop"]) {
      await drinker.post("/api/push", { pushSubscription: service.subscription(`${device} ${number}`) });
    }
  }
  service.answers.push(...Array.from({ length: 10_000 }, () => "hang" as const));
  const began = performance.now();
  const hanging = await rounds();
  // Twenty wait for the push service, the others wait for them.
  expect(service.calls).toHaveLength(20);
  expect(hanging).toBeLessThan(quiet * 1.5 + 10);
  await expect.poll(() => service.calls.length, { timeout: 20_000 }).toBe(40);
  expect(performance.now() - began).toBeGreaterThan(9_900);
});

/** Everybody drinks ten times; the time in ms that nineteen of twenty beers stayed below. */
async function rounds(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    // Past every pause, so that each round has something to tell.
    house.clock.time += 31 * 60_000;
    await house.db.updateTable("sessions").set({ is_remembered: 1, last_seen_at: house.clock.time }).execute();
    await Promise.all(
      drinkers.map(async (drinker) => {
        const began = performance.now();
        expect((await drinker.post("/api/beercounter/counters")).status).toBe(200);
        times.push(performance.now() - began);
      }),
    );
  }
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)]!;
}

import { expect, test } from "vitest";

import { createFakePushService } from "#test/fake-push-service.ts";
import { createTestApp } from "#test/test-app.ts";

const service = await createFakePushService();
const app = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
const drinkers = await Promise.all(Array.from({ length: 20 }, (_, number) => app.createMember(`member-${number}`)));

test("a push service that never answers delays no beer, and its pushes are aborted after ten seconds", async () => {
  const quiet = await rounds();
  for (const [number, drinker] of drinkers.entries()) {
    for (const device of ["phone", "laptop"]) {
      await drinker.post("/api/push", { pushSubscription: service.subscription(`${device} ${number}`) });
    }
  }
  service.responses.push(...Array.from({ length: 10_000 }, () => "hang" as const));
  const began = performance.now();
  await afterThePause();
  await drinkers[0]!.post("/api/beercounter/counters");
  // Twenty pushes wait for the answer of the push service, and the others are queued behind these
  // twenty.
  await expect.poll(() => service.calls.length).toBe(20);
  const hanging = await rounds();
  expect(service.calls).toHaveLength(20);
  expect(hanging).toBeLessThan(quiet * 1.5 + 20);
  service.responses.length = 0;
  const told = async (): Promise<number> => {
    await afterThePause();
    await drinkers[0]!.post("/api/beercounter/counters");
    return service.received.length;
  };
  await expect.poll(told, { timeout: 20_000, interval: 500 }).toBeGreaterThan(0);
  expect(performance.now() - began).toBeGreaterThan(9_900);
});

/**
 * Lets every member drink ten times, and returns the 95th percentile of the answer times in
 * milliseconds.
 */
async function rounds(): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    await afterThePause();
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

/**
 * Advances the clock by half an hour, after which the notification throttle allows the next push of
 * a member. Keeps all sessions from expiring.
 */
async function afterThePause(): Promise<void> {
  app.clock.time += 31 * 60_000;
  await app.db.updateTable("sessions").set({ is_remembered: 1, last_seen_at: app.clock.time }).execute();
}

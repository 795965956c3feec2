import { createSocket } from "node:dgram";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { fixtures } from "#test/fixtures.ts";
import { counters, tap } from "#test/process/load.ts";
import { createServerProcess, startServerProcess, password } from "#test/process/server-process.ts";
import { createFakeClock } from "./fake-clock.ts";
import { percentile, report } from "./report.ts";

/** Only root may give a process different mounts. */
const isRoot = process.getuid?.() === 0;
/**
 * Returns the beginning of a command line that first runs the shell command in `mount` and then a
 * program, which alone sees the mounted file systems.
 */
const behind = (mount: string) => ["unshare", "-m", "sh", "-c", `${mount} && exec "$@"`, "sh"];

/** Half past midnight in Berlin, on a Monday in winter and a Thursday in summer; in UTC it is still the previous day. */
const moments: [at: string, weekday: number][] = [
  ["2026-11-29T23:30:00Z", 0],
  ["2027-07-07T22:30:00Z", 3],
];

test.runIf(isRoot)("beers count on their day in Berlin on a machine without time zone data", async () => {
  const clock = await createFakeClock(moments[0]![0]);
  const bare = ["env", "-u", "TZ", "-u", "LANGUAGE", "LANG=C", "LC_ALL=C"];
  await using server = await createServerProcess({
    env: clock.env,
    wrapper: [...behind("mount -t tmpfs none /usr/share/zoneinfo && (umount /etc/localtime 2>&1; true)"), ...bare],
  });
  await server.start();
  await server.createMembers("anna");
  const anna = server.createClient();
  let wrong = 0;
  for (const [at, weekday] of moments) {
    clock.set(at);
    await anna.post("/api/login", { uname: "anna", password });
    expect((await anna.post(counters)).status).toBe(200);
    const { thisWeek } = (await anna.get("/api/beercounter/stats/timely")).json;
    if (thisWeek[weekday] !== 1) wrong += 1;
  }
  report("T106", { moments: moments.length, wrong }, "0 wrong days");
  expect(wrong).toBe(0);
});

test.runIf(isRoot)("a DNS resolver that never answers delays pushes and mails, but no beers", async () => {
  const resolver = createSocket("udp4");
  let asked = 0;
  resolver.on("message", () => (asked += 1));
  await new Promise<void>((resolve) => void resolver.bind(53, "127.0.0.153", resolve));
  const file = join(createTemporaryFolder(), "resolv.conf");
  writeFileSync(file, "nameserver 127.0.0.153\n");
  const measure = async (host: string) => {
    await using server = await startServerProcess({
      wrapper: behind(`mount --bind ${file} /etc/resolv.conf`),
      env: {
        SMTP_URL: `smtps://${host}`,
        PUSH_ALLOWED_HOSTS: host,
        NODE_ENV: "test",
        PUSH_ALLOW_PRIVATE: "1",
      },
    });
    const [anna, ...others] = await server.createMembers("anna", "bert", "carla", "dora");
    for (const member of others) {
      const endpoint = `https://${host}:9/${member.csrfToken.slice(0, 8)}`;
      const answer = await member.post("/api/push", { pushSubscription: { ...fixtures.pushSubscription, endpoint } });
      expect(answer.status).toBe(201);
      await member.post("/api/forgot-password", { email: "bert@stammtisch.example" });
    }
    const times: number[] = [];
    for (let round = 0; round < 1000; round += 1) {
      const began = performance.now();
      const answer = round % 2 === 0 ? await tap(anna!, `tap-number-${round}`) : await anna!.get(counters);
      expect(answer.status).toBe(200);
      times.push(performance.now() - began);
      await sleep(5);
    }
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), errors: server.output.errors };
  };
  try {
    const usual = await measure("127.0.0.1");
    const before = asked;
    const mute = await measure("push.stammtisch.example");
    report(
      "T082",
      {
        "p99 with an address, ms": usual.p99,
        "p99 with a name, ms": mute.p99,
        "p50 with an address, ms": usual.p50,
        "p50 with a name, ms": mute.p50,
        "questions asked": asked - before,
      },
      "p99 changes by 10 % at most",
    );
    expect(asked).toBeGreaterThan(before);
    // Allows 5 ms more, because times of a few milliseconds vary by more than 10 % on any machine.
    expect(mute.p99).toBeLessThanOrEqual(1.1 * usual.p99 + 5);
  } finally {
    resolver.close();
  }
});

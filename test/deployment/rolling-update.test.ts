// Restarts two instances behind Caddy one after the other, as an update does, while members use the
// app.
import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import { endWithTest } from "#test/cleanup.ts";
import { report } from "#test/faults/report.ts";
import { counters } from "#test/process/load.ts";
import { createServerProcess } from "#test/process/server-process.ts";
import { type Answer, ask, site, startCaddy } from "./proxies.ts";

const ports = [18_082, 18_445] as const;
const rounds = 3;

test("members get no answer but 200 while two instances behind Caddy are restarted one after the other", async () => {
  const env = { APP_URL: `https://${site}:${ports[1]}`, TRUST_PROXY: "127.0.0.1" };
  await using one = await createServerProcess({ database: "postgres", env });
  await using other = await createServerProcess({ sharedWith: one, env });
  one.env["EXTRA_ORIGINS"] = `http://localhost:${one.port}`;
  await Promise.all([one.start(), other.start()]);
  const members = await one.createMembers("anna", "ben", "carla", "dora");
  const proxy = await startCaddy([one.port, other.port], ports);
  endWithTest(async () => proxy.stop());

  const answers: Record<string, number> = {};
  let acknowledged = 0;
  const load = { isOver: false };
  async function count(asked: Promise<Answer>): Promise<boolean> {
    const status = await asked.then(
      (answer) => String(answer.status),
      (error: Error) => error.message,
    );
    answers[status] = (answers[status] ?? 0) + 1;
    return status === "200";
  }
  async function use(cookie: string, token: string): Promise<void> {
    while (!load.isOver) {
      const key = { cookie, "x-xsrf-token": token, "idempotency-key": randomUUID() };
      if (await count(ask(proxy, "POST", counters, key))) acknowledged += 1;
      for (const path of ["/beercounter", counters, "/api/checkLoginStatus"])
        await count(ask(proxy, "GET", path, { cookie }));
    }
  }
  const users = members.flatMap(({ cookieHeader, csrfToken }) => [
    use(cookieHeader, csrfToken),
    use(cookieHeader, csrfToken),
  ]);
  for (let round = 0; round < rounds; round += 1) {
    for (const instance of [one, other]) {
      const before = acknowledged;
      await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(before + 20);
      const ended = instance.exited();
      instance.signal("SIGTERM");
      expect(await ended).toMatchObject({ code: 0 });
      await instance.start();
    }
  }
  load.isOver = true;
  await Promise.all(users);
  const { text } = await ask(proxy, "GET", counters, { cookie: members[0]!.cookieHeader });
  const { KSKCounterVal: counted } = JSON.parse(text) as { KSKCounterVal: number };
  report(
    "T113",
    { restarts: 2 * rounds, ...answers, acknowledged, counted },
    "only 200, acknowledged = counted",
    "postgres",
  );
  expect(Object.keys(answers)).toEqual(["200"]);
  expect(counted).toBe(acknowledged);
});

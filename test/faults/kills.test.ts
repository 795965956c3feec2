import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { holdRequest, statusOf } from "#test/process/held-request.ts";
import { counters, tapUntil } from "#test/process/load.ts";
import {
  listBookedKeys,
  listLostKeys,
  password,
  registerMember,
  startServerProcess,
} from "#test/process/server-process.ts";
import { random } from "./random.ts";
import { databases, report } from "./report.ts";

const kills = Number(process.env["KILLS"] ?? 20);
const unames = Array.from({ length: 5 }, (_, index) => `drinker-${index}`);
const clientsPerMember = 4;

test.for(databases)("a server that is killed under load loses no beer and counts none twice (%s)", async (db) => {
  await using server = await startServerProcess({ database: db });
  const members = await server.createMembers(...unames);
  let isOver = false;
  const clients = members.map((member) =>
    Promise.all(Array.from({ length: clientsPerMember }, () => tapUntil(member, () => isOver))),
  );
  const waits: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(500 + random() * 1000);
    await server.kill();
    waits.push(await server.start());
  }
  isOver = true;
  const answered = await Promise.all(clients);
  const keys = answered.flat(2);

  const exported = await listBookedKeys(server);
  const lost = (await listLostKeys(server, keys)).length;
  const double = exported.length - new Set(exported).size;
  const stray = exported.length - keys.length;
  const slowest = Math.round(Math.max(...waits));
  report(
    "T001",
    { kills, beers: keys.length, lost, double, stray, "slowest first 200, ms": slowest },
    "lost 0, double 0, first 200 after a restart within 3000 ms",
    db,
  );
  expect([lost, double, stray]).toEqual([0, 0, 0]);

  const { users } = (await members[0]!.get("/api/beercounter/stats/user")).json;
  for (const [index, uname] of unames.entries()) {
    const own = answered[index]!.flat().length;
    expect(users.find((user: { uname: string }) => user.uname === uname).beercounter_entries_count).toBe(own);
    expect((await members[index]!.get(counters)).json).toEqual({ KSKCounterVal: keys.length, userCounterVal: own });
  }
  if (db === "sqlite") {
    await server.kill();
    const file = new DatabaseSync(join(server.dataDir, "stammtisch.db"), { timeout: 5000 });
    expect(file.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    file.close();
  }
});

test.for(databases)(
  "a server that is killed during a registration uses up the invitation only if the member exists (%s)",
  async (db) => {
    await using server = await startServerProcess({ database: db });
    await server.createMembers("anna");
    const rounds = Math.min(12, kills + 1);
    let members = 0;
    let usualMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { token } = await server.call("invite", "create");
      const stranger = server.createClient();
      await stranger.get("/sanctum/csrf-cookie");
      const uname = `newcomer-${round}`;
      const form = { token, uname, name: uname, email: `${uname}@stammtisch.example` };
      const secrets = { password, password_confirmation: password };
      const parked = await Promise.all(
        Array.from({ length: 10 }, async () => holdRequest(server, stranger, "/api/register", { ...form, ...secrets })),
      );
      const began = performance.now();
      const answers = Promise.all(parked.map(async (request) => request.release()));
      // The first round measures the duration of a registration; each later round kills the server
      // at another moment within it. Early moments are more frequent, because the fastest of the
      // ten requests decides.
      if (round > 0) await sleep(((round - random()) / (rounds - 1)) ** 2 * usualMs);
      else usualMs = await answers.then(() => performance.now() - began);
      await server.kill();
      const wasTold = (await answers).some((answer) => statusOf(answer) === 201);
      await server.start();

      const isMember = (await server.createClient().post("/api/login", { uname, password })).status === 200;
      const isTokenLeft = await registerMember(server, `second-${round}`, token).then(
        () => true,
        () => false,
      );
      expect(isTokenLeft, `round ${round}: the member exists: ${isMember}`).toBe(!isMember);
      if (wasTold) expect(isMember).toBe(true);
      if (isMember) members += 1;
    }
    report(
      "T006",
      { rounds, "registered before the kill": members },
      "in every round either the member exists or the invitation is left",
      db,
    );
  },
);

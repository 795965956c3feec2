import { expect, test } from "vitest";

import { holdRequest, statusOf } from "#test/process/held-request.ts";
import { password, startServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { databases, report } from "./report.ts";

const strangers = 100;
const rounds = 20;

test.for(databases)(
  "only one of a hundred simultaneous registrations with one invitation succeeds (%s)",
  { timeout: 600_000 },
  async (db) => {
    await using server = await startServerProcess({ database: db });
    let deviations = 0;
    for (let round = 0; round < rounds; round += 1) {
      const { token } = (await server.run("invite", "create", "--json")).json;
      const answers = await registerAtOnce(server, token, (index) => `r${round}-s${index}`);
      const refused = answers.filter((answer) => statusOf(answer) === 422 && answer.includes('"token":["'));
      if (refused.length !== strangers - 1 || !answers.some((answer) => statusOf(answer) === 201)) deviations += 1;
    }
    const users = (await server.run("user", "list", "--json")).json.length;
    report("T006", { rounds, deviations, users }, "1 of 100 in each of 20 rounds", db);
    expect([deviations, users]).toEqual([0, rounds]);
  },
);

test.for(databases)(
  "one of a hundred simultaneous registrations with the same name succeeds, and the others leave the invitation unused (%s)",
  async (db) => {
    await using server = await startServerProcess({ database: db });
    const { token } = (await server.run("invite", "create", "--uses", String(strangers), "--json")).json;
    const answers = await registerAtOnce(server, token, () => "anna");
    const taken = answers.filter((answer) => statusOf(answer) === 422 && answer.includes('"uname":["'));
    expect(taken).toHaveLength(strangers - 1);

    const others = await registerAtOnce(server, token, (index) => `other-${index}`);
    const seated = others.filter((answer) => statusOf(answer) === 201).length;
    report("T006", { "name taken": taken.length, "uses left": seated }, "99 and 99", db);
    expect(seated, "the last of the hundred finds the invitation used up").toBe(strangers - 1);
  },
);

async function registerAtOnce(
  server: ServerProcess,
  token: string,
  nameOf: (index: number) => string,
): Promise<string[]> {
  const stranger = server.createClient();
  await stranger.get("/sanctum/csrf-cookie");
  const parked = await Promise.all(
    Array.from({ length: strangers }, async (_, index) => {
      const uname = nameOf(index);
      const email = `${uname}-${index}@stammtisch.example`;
      return holdRequest(server, stranger, "/api/register", {
        token,
        uname,
        name: uname,
        email,
        password,
        password_confirmation: password,
      });
    }),
  );
  return Promise.all(parked.map(async (request) => request.release()));
}

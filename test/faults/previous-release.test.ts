// During an update, instances of the previous release keep serving while the first new instance has
// migrated the database.
import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import type { Client, ClientResponse } from "#test/client.ts";
import { counters, tap } from "#test/process/load.ts";
import { createServerProcess, password, type ServerProcess } from "#test/process/server-process.ts";
import { findPreviousRelease, unpackRelease } from "./previous-release.ts";
import { report } from "./report.ts";

const release = findPreviousRelease();
if (release === null)
  process.stdout.write("Skipped: the previous release is not in this clone; git fetch --unshallow --tags\n");

test.skipIf(release === null)(
  "the previous release answers as before while a new instance migrates its database",
  async () => {
    const old = await createServerProcess({ database: "postgres", home: unpackRelease(release!) });
    await using _old = old;
    old.env["APP_URL"] = `http://localhost:${old.port}`;
    await old.start();
    const members = await old.createMembers("anna", "ben", "carla", "dora");
    await old.run("user", "grant", "anna", "admin", "see-game-servers", "toggle-game-servers");
    const [anna] = members;
    const paths = await listReadablePaths(old, anna!);

    const answers: Record<string, number> = {};
    let acknowledged = 0;
    async function ask(what: string, answer: Promise<ClientResponse>): Promise<ClientResponse> {
      const { status, text, ...rest } = await answer;
      if (status < 200 || status >= 300) unexpected.push(`${what}: ${status} ${text.slice(0, 300)}`);
      answers[status] = (answers[status] ?? 0) + 1;
      return { status, text, ...rest };
    }
    const unexpected: string[] = [];
    async function drink(member: Client): Promise<void> {
      if ((await ask("tap", tap(member, randomUUID()))).status === 200) acknowledged += 1;
    }

    const load = { isOver: false };
    /** Uses all parts of the app that write, and reads all that can be read. */
    async function spendEvening(member: Client, index: number): Promise<void> {
      for (let round = 0; !load.isOver || round < 2; round += 1) {
        await drink(member);
        const key = randomUUID();
        await ask("tap", tap(member, key));
        await ask("undo", member.delete(`/api/beercounter/taps/${key}`));
        const { json } = await ask("party", member.post("/api/parties", { name: `Party ${index} ${round}` }));
        const party = `/api/parties/${json.id}`;
        await ask("guest", member.post(`${party}/guests`, { name: "Mia", has_agreed: true }));
        await drink(member);
        await ask("party page", member.get(party));
        await ask("end of the party", member.post(`${party}/end`));
        await ask("presence", member.post("/api/user/presence", { is_shown: round % 2 === 0, is_paused: false }));
        const other = old.createClient();
        const uname = ["anna", "ben", "carla", "dora"][index]!;
        await ask("login", other.post("/api/login", { uname, password, rememberUser: true }));
        await ask("logout", other.post("/api/logout"));
        if (index === 0) for (const path of paths) await ask(path, member.get(path));
      }
    }

    const evenings = members.map((member, index) => spendEvening(member, index));
    await expect.poll(() => acknowledged, { timeout: 60_000 }).toBeGreaterThan(8);
    const before = acknowledged;
    await using fresh = await createServerProcess({ sharedWith: old, env: { APP_URL: old.env["APP_URL"] } });
    await fresh.start();
    const there = anna!.through(fresh.port);
    for (let beer = 0; beer < 20; beer += 1) await drink(there);
    await expect.poll(() => acknowledged, { timeout: 120_000 }).toBeGreaterThan(before + 20 + 12);
    load.isOver = true;
    await Promise.all(evenings);

    const ended = old.exited();
    old.signal("SIGTERM");
    const { code } = await ended;
    await drink(there);
    const counted = (await there.get(counters)).json.KSKCounterVal;
    report(
      "T112",
      {
        release: release!.slice(0, 10),
        paths: paths.length,
        ...answers,
        acknowledged,
        counted,
        "exit code": code ?? -1,
      },
      "only 2xx, acknowledged = counted, exit 0",
      "postgres",
    );
    expect(unexpected).toEqual([]);
    expect([counted, code]).toEqual([acknowledged, 0]);
  },
);

/** Returns all paths without parameters that an administrator can read. */
async function listReadablePaths(server: ServerProcess, admin: Client): Promise<string[]> {
  const { paths } = (await server.run("openapi")).json as { paths: Record<string, object> };
  const readable: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    if (!("get" in methods) || path.includes("{") || path === "/api/logout") continue;
    if ((await admin.get(path)).status === 200) readable.push(path);
  }
  return readable;
}

import { existsSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { readMachineId } from "#server/platform/storage/machine-id.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { runCommandOn } from "#test/command-line.ts";
import { fastTimings } from "#test/fake-driver.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";
import { deactivatePrograms } from "./store.ts";

const timings = { ...fastTimings, remoteMs: 5000, pageMs: 50 };

/** Adds a program on the command line of this machine; returns the id of the game server. */
async function addProgram(app: TestApp): Promise<number> {
  const { json } = await runCommandOn(app, commands, "game-server add", ["Teeworlds"], { command: "sleep 1000" });
  return (json as { id: number }).id;
}

const hasRun = ({ config }: TestApp, id: number) => existsSync(join(config.dataDir, "game-servers", `${id}.json`));

describe("two machines on one PostgreSQL", { tags: "postgres-only" }, () => {
  let home: TestApp;
  let office: TestApp;
  let ben: Client;

  beforeEach(async () => {
    home = await createTestApp({}, { gameServers: { timings } });
    office = await home.reopen({ DATA_DIR: createTemporaryFolder() });
    ben = await home.createMember("ben");
  });

  const state = async (id: number, client = ben) => (await client.get(`/api/game-servers/${id}`)).json.state;
  async function stop(id: number): Promise<void> {
    expect((await ben.post(`/api/game-servers/${id}`, { state: 2 })).status).toBe(200);
    await expect.poll(() => state(id)).toEqual({ Status: "exited", Running: false });
  }

  test("a program starts and stops on the machine where it was added, for members on any instance", async () => {
    for (const [machine, elsewhere] of [
      [home, office],
      [office, home],
    ] as const) {
      const id = await addProgram(machine);
      for (const client of [ben, ben.through(office)]) {
        await expect.poll(() => state(id, client)).not.toBeNull();
        // Until the stop before has ended on both instances, a start is refused.
        const start = async () => (await client.post(`/api/game-servers/${id}`, { state: 1 })).json;
        await expect.poll(start).toEqual({ message: "Teeworlds wird gestartet." });
        await expect.poll(() => state(id, client)).toMatchObject({ Running: true });
        expect([hasRun(machine, id), hasRun(elsewhere, id)]).toEqual([true, false]);
        const listed = (await runCommandOn(elsewhere, commands, "game-server list", [])).json as { id: number }[];
        expect(listed.find((server) => server.id === id)).toMatchObject({ state: { Running: true } });
        await stop(id);
      }
    }
  });

  test("a program whose machine has no instance is unreachable, and is found again when the instance is back", async () => {
    const id = await addProgram(office);
    const path = `/api/game-servers/${id}`;
    await expect.poll(() => state(id)).not.toBeNull();
    await ben.post(path, { state: 1 });
    await expect.poll(() => state(id)).toMatchObject({ Running: true });
    const page = await connectSocket(home, ben.cookieHeader);
    await subscribe(ben, page, "private-game-servers");
    const heard = () => page.messages.flatMap(({ event, data }) => (event === "updated" ? data.message || [] : []));

    await office.close();
    const gone = "Der Rechner mit diesem Game-Server ist gerade nicht erreichbar.";
    const refused = await ben.post(path, { state: 2 });
    expect([refused.status, refused.json.message]).toEqual([503, gone]);
    await expect.poll(() => state(id)).toBeNull();
    await expect.poll(heard).toEqual([gone]);
    expect((await ben.post(`${path}/keep-running`)).json.message).toBe(gone);

    await home.reopen({ DATA_DIR: office.config.dataDir });
    await expect.poll(() => state(id)).toMatchObject({ Running: true });
    await expect.poll(heard).toEqual([gone, "Die Game-Server-Steuerung ist wieder erreichbar."]);
    await stop(id);
  });

  test("a restored program belongs to the machine where it is enabled, also if it was enabled elsewhere before", async () => {
    const id = await addProgram(home);
    await deactivatePrograms(home.db);
    const machine = async () =>
      (await home.db.selectFrom("game_servers").select("machine").executeTakeFirst())?.machine;
    expect(await machine()).toBeNull();
    for (const app of [home, office]) {
      await runCommandOn(app, commands, "game-server enable", ["Teeworlds"]);
      expect(await machine()).toBe(readMachineId(app.config.dataDir));
    }
    await expect.poll(() => state(id)).not.toBeNull();
    await ben.post(`/api/game-servers/${id}`, { state: 1 });
    await expect.poll(() => state(id)).toMatchObject({ Running: true });
    expect([hasRun(home, id), hasRun(office, id)]).toEqual([false, true]);
    await stop(id);
  });

  test("a program of an earlier version, which has no machine, is started by the leader of all game servers", async () => {
    const id = await addProgram(office);
    await home.db.updateTable("game_servers").set({ machine: null }).execute();
    await expect.poll(() => state(id)).not.toBeNull();
    await ben.post(`/api/game-servers/${id}`, { state: 1 });
    await expect.poll(() => state(id)).toMatchObject({ Running: true });
    await stop(id);
  });
});

test(
  "a game server that is a program can be started with SQLite even if the file with the machine id is missing",
  { tags: "sqlite-only" },
  async () => {
    const app = await createTestApp({}, { gameServers: { timings } });
    const ben = await app.createMember("ben");
    const path = `/api/game-servers/${await addProgram(app)}`;
    await app.db.updateTable("game_servers").set({ machine: "another machine" }).execute();
    const state = async () => (await ben.get(path)).json.state;
    await expect.poll(state).toEqual({ Status: "created", Running: false });
    await ben.post(path, { state: 1 });
    await expect.poll(state).toMatchObject({ Running: true });
    await ben.post(path, { state: 2 });
    await expect.poll(state).toMatchObject({ Running: false });
  },
);

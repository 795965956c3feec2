import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { toIso } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { fastTimings, createFakeDriver } from "#test/fake-driver.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import type { SocketClient } from "#test/socket.ts";
import { createTestApp, password } from "#test/test-app.ts";
import { addGameServer } from "./actions.ts";
import { EngineRefusedError } from "./drivers/driver.ts";

const engine = createFakeDriver({ now: () => app.clock.now() });
const app = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings: fastTimings } });
const ben = await app.createMember("ben");
const carla = await app.createMember("carla");
const settings = { address: null, query: "none", grace_seconds: null, idle_stop_minutes: null } as const;
let id: number;

beforeEach(async () => {
  engine.reset();
  engine.set("teeworlds", {});
  id = await addGameServer(
    app.context,
    { display_name: "Teeworlds", driver: "docker", ref: "teeworlds", ...settings },
    null,
  );
  await expect.poll(state).toEqual({ Status: "created", Running: false });
});

const path = () => `/api/game-servers/${id}`;
const start = (member: Client = ben) => member.post(path(), { state: 1 });
const stop = () => ben.post(path(), { state: 2 });
const read = async () => (await carla.get(path())).json;
const state = async () => (await read()).state;
const answerOf = ({ json: { message }, status }: { json: { message: string }; status: number }) => [status, message];

/** Connects a page of Carla, which receives events about game servers. */
async function listen(): Promise<SocketClient> {
  const socket = await connectSocket(app, carla.cookieHeader);
  await subscribe(carla, socket, "private-game-servers");
  return socket;
}

/** Returns the events with a message for members, without events that only cause a refetch. */
const announcements = ({ messages }: SocketClient) =>
  messages.flatMap(({ event, data }) =>
    event === "updated" && data.serverId === id && data.message !== "" ? [data] : [],
  );

/** Advances the app's clock until the game server counts as running. */
async function waitUntilRunning(): Promise<void> {
  app.clock.time += 5000;
  await expect.poll(state).toEqual({ Status: "running", Running: true });
}

describe("failed starts", () => {
  const starting = "Teeworlds wird gestartet.";
  const unharmed = { avatarId: null, is_failure: false, failed_start_at: null };
  const text = "Start fehlgeschlagen: Teeworlds meldet beim Start einen Fehler.";
  const refusal = new EngineRefusedError("exit 1", "refused", "<b>licence</b> has expired");

  test("only administrators see the last output line of a game server's failed start", async () => {
    const page = await listen();
    engine.onStart = () => refusal;
    expect(answerOf(await start())).toEqual([503, text]);
    await expect.poll(state).toEqual({ Status: "created", Running: false });
    const { id: userId } = (await ben.get("/api/checkLoginStatus")).json.user;
    const failed_start_at = toIso(app.clock.time);
    expect(announcements(page)).toEqual([
      { userId, serverId: id, message: starting, userName: "Ben", ...unharmed },
      { userId, serverId: id, message: text, userName: null, avatarId: null, is_failure: true, failed_start_at },
    ]);
    const at = toIso(app.clock.time);
    expect(await read()).toMatchObject({ changed_by: null, start_failure: { text, detail: null, at } });

    const anna = await app.createMember("anna");
    const told = `${text} Letzte Meldung: <b>licence</b> has expired`;
    expect(answerOf(await start(anna))).toEqual([503, told]);
    expect((await anna.get("/api/game-servers")).json.at(-1)).toMatchObject({
      start_failure: { text, detail: "<b>licence</b> has expired", at },
    });
    expect(JSON.stringify([page.messages, app.logLines])).not.toContain("licence");

    engine.onStart = () => ({ isAlive: true, status: "running" });
    await start();
    await waitUntilRunning();
    expect((await read()).start_failure).toBeNull();
    await expect
      .poll(() => announcements(page).map(({ message }) => message))
      .toEqual([starting, text, starting, text, starting, "Teeworlds läuft jetzt."]);
  });

  test("starting a game server whose program is missing is announced as a failed start, not as an outage", async () => {
    const page = await listen();
    const inspect = vi.spyOn(engine.driver, "inspect").mockResolvedValue({ kind: "missing" });
    onTestFinished(() => inspect.mockRestore());
    const message = "Start fehlgeschlagen: Das Programm von Teeworlds fehlt.";
    expect(answerOf(await start())).toEqual([503, message]);
    await expect.poll(() => announcements(page).map((one) => one.message)).toEqual([message]);
    expect(await read()).toMatchObject({ state: null, is_missing: true });
    expect(answerOf(await stop())).toEqual([503, "Teeworlds ist nicht eingerichtet."]);
  });
});

test("starting a game server while another member starts or stops it is refused with that member's name", async () => {
  const dora = await app.createMember("dora", ["see-game-servers", "toggle-game-servers"]);
  const page = await listen();
  const finish = engine.pause();
  const answer = start();
  await page.next("updated");
  expect(await read()).toMatchObject({
    state: { Status: "starting", Running: false },
    changed_by: { name: "Ben", avatarId: null },
  });
  expect(answerOf(await start(dora))).toEqual([409, "Ben startet den Server gerade."]);
  finish();
  await answer;
  await waitUntilRunning();
  const finishStop = engine.pause();
  await stop();
  expect(answerOf(await start(dora))).toEqual([409, "Ben fährt den Server gerade herunter."]);
  finishStop();
  await expect.poll(state).toEqual({ Status: "exited", Running: false });
});

test("the deleted member who last started a game server is shown as a former member", async () => {
  const emil = await app.createMember("emil", ["see-game-servers", "toggle-game-servers"]);
  await start(emil);
  await waitUntilRunning();
  expect((await emil.post("/api/user/delete", { uname: "emil", password, beers: "keep" })).status).toBe(200);
  expect((await read()).changed_by).toEqual({ name: "Ehemaliges Mitglied", avatarId: null, is_former: true });
});

import { screen, waitFor, within } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { addGameServer } from "#server/features/game-servers/actions.ts";
import { EngineRefusedError } from "#server/features/game-servers/drivers/driver.ts";
import { activateGameServer, createGameServer, deactivatePrograms } from "#server/features/game-servers/store.ts";
import { createFakeDriver, fastTimings } from "#test/fake-driver.ts";
import { createSourceGame, type FakeGame } from "#test/fake-games.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { allAnswered, messageText, openPage, pageText } from "./open-page.tsx";

const engine = createFakeDriver({ now: () => app.clock.now() });
const drivers = { docker: engine.driver, script: engine.driver };
let app: TestApp;
let game: FakeGame;
beforeEach(async () => {
  engine.reset();
  app = await createTestApp({}, { gameServers: { drivers, timings: fastTimings } });
  game = await createSourceGame(() => ({ names: ["Emil", "Frieda"], max: 8 }));
  const keller = { ref: "keller", display_name: "Im Keller", address: null, query: "none" } as const;
  const tresen = { ref: "tresen", display_name: "Am Tresen", address: game.address, query: "source" } as const;
  for (const server of [keller, tresen]) {
    engine.set(server.ref, {});
    const settings = { ...server, driver: "docker", grace_seconds: null, idle_stop_minutes: null } as const;
    await addGameServer(app.context, settings, null);
  }
});

const server = (name: string) => screen.getByRole("heading", { name }).closest("li")!;
const open = async (uname: string) => {
  const page = await openPage(await app.createMember(uname), "/game-servers");
  await page.isLive("private-game-servers");
  await screen.findByRole("heading", { name: "Im Keller" });
  await expect.poll(() => server("Im Keller").textContent).toContain("Aus");
  return page;
};

test("A game server that a member starts and stops is shown as running and stopped with the member's name", async () => {
  const page = await open("anna");
  await page.press("starten", server("Im Keller"));
  await expect.poll(messageText).toContain("Im Keller wird gestartet.");
  // From now on, the app considers the game server to be running.
  app.clock.time += 5000;
  await expect.poll(() => server("Im Keller").textContent).toMatch(/Läuft.*gestartet von Anna, gerade eben/);
  // Its players are unknown, so no confirmation is asked for.
  await page.press("herunterfahren", server("Im Keller"));
  await expect.poll(() => server("Im Keller").textContent).toMatch(/Aus.*heruntergefahren von Anna/);
});

test("A member who may only see game servers has a disabled button, and sees changes by others live", async () => {
  const anna = await app.createMember("anna");
  await open("carla");
  const button = () =>
    within(server("Im Keller")).getByRole<HTMLButtonElement>("button", { name: /starten|herunterfahren/ });
  expect(button().disabled).toBe(true);
  await anna.post("/api/game-servers/1", { state: 1 });
  await expect.poll(messageText).toContain("Anna: Im Keller wird gestartet.");
  app.clock.time += 5000;
  await expect.poll(() => server("Im Keller").textContent).toMatch(/Läuft.*gestartet von Anna, gerade eben/);
  expect(button().disabled).toBe(true);
  // Stopped on the machine itself.
  engine.set("keller", { isAlive: false, status: "exited", exitCode: 0 });
  await expect.poll(() => server("Im Keller").textContent).toContain("Aus");
});

test("A crash of a game server is announced as an alert, but a start is not", async () => {
  const anna = await app.createMember("anna");
  await open("carla");
  await anna.post("/api/game-servers/1", { state: 1 });
  await expect.poll(messageText).toContain("Anna: Im Keller wird gestartet.");
  expect(screen.queryByRole("alert")).toBeNull();
  app.clock.time += 5000;
  await expect.poll(() => server("Im Keller").textContent).toContain("Läuft");
  engine.set("keller", { isAlive: false, status: "exited", exitCode: 1 });
  await expect.poll(() => screen.queryByRole("alert")?.textContent).toContain("Im Keller ist abgestürzt.");
});

test("A failed start of a game server is announced once, with the program's last line of output only for administrators", async () => {
  const text = "Start fehlgeschlagen: Im Keller meldet beim Start einen Fehler.";
  const refusal = new EngineRefusedError("exit 1", "refused", "<b>licence</b> has expired");
  const ben = await app.createMember("ben", ["see-game-servers", "toggle-game-servers"]);
  engine.onStart = () => refusal;
  await open("carla");
  await ben.post("/api/game-servers/1", { state: 1 });
  await expect.poll(messageText).toBe(text);
  await expect.poll(() => server("Im Keller").textContent).toContain(`${text} (gerade eben)`);
  expect(pageText()).not.toContain("licence");

  const page = await open("anna");
  const told = `${text} Letzte Meldung: <b>licence</b> has expired`;
  await ben.post("/api/game-servers/1", { state: 1 });
  await expect.poll(messageText).toBe(told);
  await page.press("starten", server("Im Keller"));
  await expect.poll(messageText).toBe(told);
  await expect.poll(() => server("Im Keller").textContent).toContain(`${told} (gerade eben)`);
});

test("A game server of a restored backup cannot be started until the operator enables it", async () => {
  engine.set("cs.sh", {});
  const restored = { display_name: "Im Backup", driver: "script", ref: "cs.sh", address: null, query: "none" };
  const id = await inTransaction(app.db, async (tx) => {
    const settings = { ...restored, grace_seconds: null, idle_stop_minutes: null };
    const created = await createGameServer(tx, settings, app.clock.now());
    await deactivatePrograms(tx);
    return created;
  });
  await open("anna");
  const button = () => within(server("Im Backup")).getByRole<HTMLButtonElement>("button", { name: "starten" });
  expect(button().disabled).toBe(true);
  expect(server("Im Backup").textContent).toMatch(/Noch nicht freigegeben.*Er kommt aus einem Backup/);
  await activateGameServer(app.db, id, null);
  await expect.poll(() => button().disabled).toBe(false);
  expect(server("Im Backup").textContent).toContain("Aus");
  expect(server("Im Backup").textContent).not.toContain("Backup.");
});

test("While a slow script starts a game server, other members see and are told who started it", async () => {
  const ben = await app.createMember("ben", ["see-game-servers", "toggle-game-servers"]);
  await open("anna");
  const finish = engine.pause();
  const answer = ben.post("/api/game-servers/1", { state: 1 });
  await expect.poll(() => server("Im Keller").textContent).toMatch(/Startet ….*gestartet von Ben, gerade eben/);
  expect(messageText()).toContain("Ben: Im Keller wird gestartet.");
  finish();
  await answer;
});

test("A late list of all game servers does not overwrite a change that happened after the list was requested", async () => {
  const [anna, carla] = [await app.createMember("anna"), await app.createMember("carla")];
  const page = await openPage(carla, "/game-servers");
  await page.isLive("private-game-servers");
  await expect.poll(() => server("Im Keller").textContent).toContain("Aus");
  await allAnswered();
  const send = carla.send.bind(carla);
  const late = Promise.withResolvers<void>();
  let lists = 0;
  vi.spyOn(carla, "send").mockImplementation(async (...request) => {
    const answer = await send(...request);
    if (request[1] !== "/api/game-servers") return answer;
    lists += 1;
    if (lists === 1) await late.promise;
    return answer;
  });
  page.interrupt();
  await expect.poll(() => lists).toBe(1);
  await anna.post("/api/game-servers/1", { state: 1 });
  app.clock.time += 5000;
  await expect.poll(() => server("Im Keller").textContent).toContain("Läuft");
  late.resolve();
  await allAnswered();
  expect(server("Im Keller").textContent).toContain("Läuft");
});

test("A hidden page refetches all game servers once, when the member returns", async () => {
  const [anna, carla] = [await app.createMember("anna"), await app.createMember("carla")];
  const page = await openPage(carla, "/game-servers");
  await page.isLive("private-game-servers");
  await allAnswered();
  const show = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  const send = vi.spyOn(carla, "send");
  const requests = (): number => send.mock.calls.filter(([, path]) => path === "/api/game-servers").length;
  for (const [id, name] of ["Im Keller", "Am Tresen"].entries()) {
    await anna.post(`/api/game-servers/${id + 1}`, { state: 1 });
    await expect.poll(messageText).toContain(`${name} wird gestartet.`);
  }
  expect(requests()).toBe(0);
  show.mockRestore();
  document.dispatchEvent(new Event("visibilitychange"));
  await allAnswered();
  expect(requests()).toBe(1);
});

test("Stopping a game server with players requires a confirmation", async () => {
  const page = await open("anna");
  await page.press("starten", server("Am Tresen"));
  await expect.poll(() => server("Am Tresen").textContent).toContain("2 von 8 spielen: Emil, Frieda");
  await page.press("herunterfahren", server("Am Tresen"));
  await screen.findByRole("dialog", { name: "Am Tresen herunterfahren?" });
  await screen.findByText("2 spielen gerade: Emil, Frieda.");
  await page.press("Abbrechen");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Am Tresen herunterfahren?" })).toBeNull());
  expect(server("Am Tresen").textContent).toContain("Läuft");

  await page.press("herunterfahren", server("Am Tresen"));
  await page.press("Trotzdem herunterfahren");
  await expect.poll(() => server("Am Tresen").textContent).toMatch(/Aus.*heruntergefahren von Anna/);
});

test("Confirming a stop too late does not start a game server that another member has already stopped", async () => {
  const ben = await app.createMember("ben", ["see-game-servers", "toggle-game-servers"]);
  const page = await open("anna");
  await page.press("starten", server("Am Tresen"));
  await expect.poll(() => server("Am Tresen").textContent).toContain("2 von 8 spielen: Emil, Frieda");
  await page.press("herunterfahren", server("Am Tresen"));
  await screen.findByRole("dialog", { name: "Am Tresen herunterfahren?" });
  await ben.post("/api/game-servers/2", { state: 2 });
  await expect.poll(() => server("Am Tresen").textContent).toMatch(/Aus.*heruntergefahren von Ben/);
  await page.press("Trotzdem herunterfahren");
  await expect.poll(messageText).toContain("Am Tresen ist bereits aus.");
});

test("A refused change of a game server shows the server's message and the true state", async () => {
  const page = await open("anna");
  engine.isReachable = false;
  await page.press("starten", server("Im Keller"));
  await expect.poll(messageText).toContain("Die Game-Server-Steuerung ist gerade nicht erreichbar.");
  const isDisabled = (name: string) =>
    within(server("Im Keller")).getByRole<HTMLButtonElement>("button", { name }).disabled;
  await waitFor(() => expect(isDisabled("Fehler")).toBe(true));
  engine.isReachable = true;
  engine.notifyWatchers();
  await waitFor(() => expect(isDisabled("starten")).toBe(false));
});

test("A click copies a game server's address, or selects it if the browser forbids copying", async () => {
  const page = await open("anna");
  await page.press("Adresse kopieren");
  await expect.poll(messageText).toContain("Adresse kopiert.");
  expect(await navigator.clipboard.readText()).toBe(game.address);

  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new DOMException("", "NotAllowedError"));
  await page.press("Adresse kopieren");
  await expect.poll(messageText).toContain("Die Adresse ist markiert");
  expect(String(getSelection())).toBe(game.address);
});

test("A member who gets the permission to see game servers sees the link without reloading the page", async () => {
  const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben", [])];
  const page = await openPage(ben, "/beercounter");
  await page.isLive("#server-to-user-2");
  expect(screen.queryByRole("link", { name: "Game-Server" })).toBeNull();
  await anna.post("/api/admin/members/2/permissions", { permissions: ["see-game-servers"] });
  // In the header and in the sidebar.
  await screen.findAllByRole("link", { name: "Game-Server" });
});

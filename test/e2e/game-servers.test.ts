import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createSourceGame, type FakeGame } from "#test/fake-games.ts";
import { createE2eApp, type E2eApp } from "./e2e-app.ts";

const playing = { names: ["Emil", "Frieda"], max: 8 };
let app: E2eApp;
let game: FakeGame;
let anna: Page;
let ben: Page;
let carla: Page;
beforeAll(async () => {
  app = await createE2eApp({ env: { RATE_LIMIT_FACTOR: "100" } });
  await app.registerMembers("Anna", "Ben", "Carla");
  for (const uname of ["anna", "ben"])
    await app.runCommand("user", "grant", uname, "see-game-servers", "toggle-game-servers");
  await app.runCommand("user", "grant", "carla", "see-game-servers");
  game = await createSourceGame(() => playing);
  await app.runCommand("game-server", "add", "Im Keller", "--command", "sleep 1000");
  const asked = ["--address", game.address, "--query", "source"];
  await app.runCommand("game-server", "add", "Am Tresen", "--command", "sleep 1001", ...asked);
  [anna, ben, carla] = await Promise.all([open("anna"), open("ben"), open("carla")]);
});
afterAll(async () => {
  await game.close();
  await app.close();
});

test("What one starts runs on every screen, and who may only watch finds the button locked", async () => {
  const asAnna = server(anna, "Im Keller");
  await asAnna.getByText("Aus", { exact: true }).waitFor();
  expect(await server(carla, "Im Keller").getByRole("button", { name: "starten" }).isDisabled()).toBe(true);

  await asAnna.getByRole("button", { name: "starten" }).click();
  await anna.locator('[data-flash="success"]').getByText("Im Keller wird gestartet.").waitFor();
  await ben.locator('[data-flash="info"]').getByText("Anna: Im Keller wird gestartet.").waitFor();
  for (const page of [anna, ben, carla]) {
    const here = server(page, "Im Keller");
    await here.getByText("Läuft", { exact: true }).waitFor();
    expect(await here.textContent()).toContain("gestartet von Anna, gerade eben");
  }
  expect(await server(carla, "Im Keller").getByRole("button", { name: "herunterfahren" }).isDisabled()).toBe(true);

  // Nobody is asked where nobody knows who plays.
  await server(ben, "Im Keller").getByRole("button", { name: "herunterfahren" }).click();
  for (const page of [anna, ben, carla]) await server(page, "Im Keller").getByText("Aus", { exact: true }).waitFor();
  expect(await asAnna.textContent()).toContain("heruntergefahren von Ben");
});

test("Before a server is stopped that somebody plays on, the page asks", async () => {
  const here = server(anna, "Am Tresen");
  await here.getByRole("button", { name: "starten" }).click();
  await here.getByText("2 von 8 spielen: Emil, Frieda").waitFor();
  const stop = here.getByRole("button", { name: "herunterfahren", exact: true });
  await stop.click();
  const question = anna.getByRole("dialog", { name: "Am Tresen herunterfahren?" });
  await question.getByText("2 spielen gerade: Emil, Frieda.").waitFor();
  await question.getByRole("button", { name: "Abbrechen" }).click();
  await question.waitFor({ state: "hidden" });
  await here.getByText("Läuft", { exact: true }).waitFor();

  await stop.click();
  await question.getByRole("button", { name: "Trotzdem herunterfahren" }).click();
  await here.getByText("Aus", { exact: true }).waitFor();
  expect(await here.textContent()).toContain("heruntergefahren von Anna");
});

test("A refusal is shown with the server's text, and the state on the screen is the true one again", async () => {
  await anna.route("**/api/game-servers/*", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 503, json: { message: "Die Game-Server-Steuerung ist gerade nicht erreichbar." } })
      : route.continue(),
  );
  const lookedAgain = anna.waitForResponse(
    (answer) => /game-servers\/\d+$/.test(answer.url()) && answer.status() === 200,
  );
  await server(anna, "Im Keller").getByRole("button", { name: "starten" }).click();
  await anna
    .locator('[data-flash="error"]')
    .getByText("Die Game-Server-Steuerung ist gerade nicht erreichbar.")
    .waitFor();
  await lookedAgain;
  await expect
    .poll(async () => server(anna, "Im Keller").getByRole("button", { name: "starten" }).isEnabled())
    .toBe(true);
});

async function open(uname: string): Promise<Page> {
  const page = await app.loggedInPage(uname, { path: "/game-servers", channel: "private-game-servers" });
  await server(page, "Im Keller").waitFor();
  return page;
}

function server(page: Page, name: string): Locator {
  return page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { laptop, logIn, createE2eApp, type E2eApp } from "#test/e2e/e2e-app.ts";
import { type TestEngine, engines } from "#test/process/engines.ts";

/** The real engine where this machine has one. */
const engine = engines.find(({ name }) => name.includes("real")) ?? engines[0]!;
let testEngine: TestEngine;
let filter: ChildProcess;
let app: E2eApp;

beforeAll(async () => {
  testEngine = await engine.open();
  await testEngine.create("gs-forest", "obedient");
  const socket = `${testEngine.url.slice("unix://".length)}.e2e`;
  const words = ["engine-filter", "--engine", testEngine.url, "--listen", socket, "--allow", "gs-forest"];
  filter = spawn(join(import.meta.dirname, "../../bin/stammtisch"), words, { stdio: "ignore" });
  while (!existsSync(socket)) await sleep(20);

  app = await createE2eApp({ env: { ENGINE_URL: `unix://${socket}` } });
  await app.registerMembers("Anna", "Ben");
  await app.runCommand("user", "grant", "anna", "see-game-servers", "toggle-game-servers");
  await app.runCommand("user", "grant", "ben", "see-game-servers", "toggle-game-servers");
  await app.runCommand("game-server", "add", "Wald", "--docker", "gs-forest", "--grace", "2");
});
afterAll(async () => {
  await app?.close();
  filter?.kill();
  if (filter) await once(filter, "exit");
  await testEngine?.close();
});

test("Anna starts a server and Ben sees it, as he sees everything that befalls it", async () => {
  const anna = await openServers("anna");
  const ben = await openServers("ben");
  const everybody = [anna, ben];
  for (const screen of everybody) await expect.poll(() => labelOn(screen)).toBe("starten");
  expect(await button(anna).isEnabled()).toBe(true);

  await button(anna).click();
  await expect.poll(() => flashOn(anna)).toContain("Wald wird gestartet.");
  await expect.poll(() => flashOn(ben)).toContain("Wald");
  for (const screen of everybody) await expect.poll(() => labelOn(screen)).toBe("herunterfahren");
  expect(await button(ben).isEnabled()).toBe(true);

  // Somebody at the machine itself.
  await testEngine.runOutside("stop", "gs-forest");
  for (const screen of everybody) await expect.poll(() => labelOn(screen)).toBe("starten");

  await testEngine.kill();
  for (const screen of everybody) await expect.poll(() => labelOn(screen)).toBe("Fehler");
  expect(await button(anna).isDisabled()).toBe(true);
  await testEngine.restart();
  for (const screen of everybody) await expect.poll(() => labelOn(screen), { timeout: 15_000 }).toBe("starten");

  // Ben may no longer look; he hears nothing more of it.
  await app.runCommand("user", "revoke", "ben", "see-game-servers");
  await expect.poll(() => ben.heard.some((frame) => frame.includes("pusher:subscription_error"))).toBe(true);
  ben.heard.splice(0);
  await button(anna).click();
  await expect.poll(() => labelOn(anna)).toBe("herunterfahren");
  expect(ben.heard.filter((frame) => frame.includes("serverId"))).toEqual([]);
  await ben.page.reload();
  await expect.poll(() => ben.page.getByRole("heading", { name: "Nope." }).count()).toBe(1);
});

interface Screen {
  readonly page: Page;
  /** Everything its socket has received. */
  readonly heard: string[];
}

/** The page of the game servers, once it receives their events. */
async function openServers(uname: string): Promise<Screen> {
  const page = await app.newPage({ viewport: laptop });
  const heard: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => heard.push(payload.toString())));
  await page.goto("/login?redirectedFrom=/game-servers");
  await logIn(page, uname, app.members.find((member) => member.uname === uname)!.password);
  await page.waitForURL("**/game-servers");
  const isSubscribed = (frame: string) => frame.includes("succeeded") && frame.includes("private-game-servers");
  await expect.poll(() => heard.some(isSubscribed)).toBe(true);
  return { page, heard };
}

const button = ({ page }: Screen) => page.getByRole("listitem").filter({ hasText: "Wald" }).getByRole("button").first();
const labelOn = (screen: Screen) => button(screen).getAttribute("aria-label");
const flashOn = ({ page }: Screen) => page.locator("[data-flash] p").textContent();

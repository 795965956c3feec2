import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { openPub, type Pub } from "./pub.ts";

let pub: Pub;
let anna: Page;
beforeAll(async () => {
  pub = await openPub({ env: { RATE_LIMIT_FACTOR: "100" } });
  await pub.join([
    { uname: "anna", name: "Anna" },
    { uname: "ben", name: "Ben" },
  ]);
  anna = await pub.pageOf("anna");
  await whenInstalled(anna);
});
afterAll(() => pub.close());

test("Without a server the app opens with whoever was there last, on every page, and says that it is offline", async () => {
  await pub.kill();
  for (const path of ["/beercounter", "/profile", "/christmas-calendar"]) {
    await anna.goto(path);
    await anna.getByRole("button", { name: "Anna", exact: true }).waitFor();
    await anna.getByText("Keine Verbindung. Wir versuchen es weiter.").waitFor();
  }
  expect(new URL(anna.url()).pathname).toBe("/christmas-calendar");
  await pub.start();
  await anna.getByText("Keine Verbindung. Wir versuchen es weiter.").waitFor({ state: "detached", timeout: 30_000 });
});

test("The worker rules over this site alone and keeps nothing but what the build made", async () => {
  await anna.goto("/beercounter");
  await anna.getByRole("region", { name: "Die Säufer" }).getByText("Anna").waitFor();
  const found = await anna.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return {
      workers: registrations.map(({ scope, active }) => [new URL(scope).pathname, new URL(active!.scriptURL).pathname]),
      paths: kept.flat().map(({ url }) => new URL(url).pathname),
    };
  });
  expect(found.workers).toEqual([["/", "/sw.js"]]);
  expect(found.paths).toContain("/");
  expect(found.paths.filter((path) => /^\/(api|internal|broadcasting|sanctum|app|beercounter)/.test(path))).toEqual([]);
});

/** Waits until everything that an offline start needs is on the device. */
async function whenInstalled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active!.state === "activated") return;
    await new Promise((resolve) => active!.addEventListener("statechange", resolve));
  });
}

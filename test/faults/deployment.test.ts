import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { logIn, createE2eApp, type E2eApp } from "#test/e2e/e2e-app.ts";
import { report } from "./report.ts";

const tabs = Number(process.env["TABS"] ?? 50);
const original = join(import.meta.dirname, "../..");
const notice = "Neue Version – neu laden";

test("pages that are open during an update remain usable after at most one reload", { timeout: 900_000 }, async () => {
  const home = copyInstallation();
  // All pages belong to one member. A page above the socket limit would show the limit's notice
  // instead of the notice of a new version.
  const env = { WS_MAX_PER_USER: String(tabs + 10) };
  const app = await createE2eApp({ home, withServiceWorker: true, env });
  await app.registerMembers("Anna");
  // Half of the pages have a service worker; the other half belongs to a browser that blocks
  // service workers.
  const guarded = await openTabs(app, "allow", tabs / 2);
  const bare = await openTabs(app, "block", tabs / 2);
  const all = [...guarded, ...bare];
  for (const { page } of all) expect(await version(page)).toBe("1");

  await app.kill();
  publish(home, "2");
  await app.start();

  const broken = await countBroken(all, "Größenrechner", "Der Fabulöse Größenrechner");
  // Pages with a service worker have the old version in its cache, and the others get the files that the build keeps
  // for a day.
  expect([broken, ...all.map(({ loads }) => loads())]).toEqual([0, ...all.map(() => 0)]);

  // As a day later, or in a new container image, which has no files of the previous one.
  await app.kill();
  deletePreviousAssets(home);
  await app.start();
  const brokenLater = await countBroken(all, "Statistik", "Statistik");
  const reloads = all.map(({ loads }) => loads());
  report(
    "T091",
    { tabs, broken: broken + brokenLater, mostReloads: Math.max(...reloads) },
    "0 broken, at most 1 reload",
  );
  expect(brokenLater).toBe(0);
  expect(guarded.map(({ loads }) => loads())).toEqual(guarded.map(() => 0));
  expect(bare.map(({ loads }) => loads())).toEqual(bare.map(() => 1));
  for (const { page } of bare) expect(await version(page)).toBe("2");

  // One page checks for an update; all pages show the notice, and only the page on which it is
  // accepted reloads.
  const [first, second] = [guarded[0]!, guarded[1]!];
  await first.page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  for (const { page } of guarded) await page.getByRole("button", { name: notice }).waitFor();
  await first.page.getByRole("button", { name: notice }).click();
  await first.page.getByText("Version 2").waitFor();
  expect(await first.page.getByRole("button", { name: notice }).count()).toBe(0);
  expect(second.loads()).toBe(0);

  // The other pages continue with the old version, and still offer to load the new one.
  await second.page.getByRole("button", { name: "Menü" }).click();
  await second.page.getByRole("navigation").getByRole("link", { name: "Bier-Counter" }).click();
  await second.page.getByRole("button", { name: "Bier trinken" }).waitFor();
  expect([await version(second.page), second.loads()]).toEqual(["1", 0]);
  await second.page.getByRole("button", { name: notice }).click();
  await second.page.getByText("Version 2").waitFor();
  expect(second.loads()).toBe(1);
});

/** Follows a link of the menu in each tab, and counts the tabs that do not show the page. */
async function countBroken(all: readonly Tab[], link: string, heading: string): Promise<number> {
  for (const { page } of all) {
    await page.getByRole("button", { name: "Menü" }).click();
    await page.getByRole("link", { name: link, exact: true }).click();
  }
  let broken = 0;
  for (const { page } of all) {
    const isThere = await page
      .getByRole("heading", { name: heading })
      .first()
      .waitFor()
      .then(
        () => true,
        () => false,
      );
    if (!isThere) broken += 1;
  }
  return broken;
}

interface Tab {
  readonly page: Page;
  /** Returns the number of loads since the page was opened. */
  readonly loads: () => number;
}

async function openTabs(app: E2eApp, serviceWorkers: "allow" | "block", count: number): Promise<Tab[]> {
  const first = await app.newPage({ serviceWorkers });
  const context = first.context();
  // Prevents the prefetch at idle time, as if members had left the page before it.
  await context.addInitScript(() => {
    window.requestIdleCallback = () => 0;
  });
  await first.goto("/login");
  await logIn(first, "anna", app.members[0]!.password);
  await first.waitForURL("**/beercounter");
  if (serviceWorkers === "allow") {
    await first.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      if (active!.state === "activated") return;
      await new Promise((resolve) => active!.addEventListener("statechange", resolve));
    });
  }
  const opened: Tab[] = [];
  for (let tab = 0; tab < count; tab += 1) {
    const page = await context.newPage();
    await page.goto("/profile");
    await page.getByRole("heading", { name: "Profil", exact: true }).waitFor();
    let loads = 0;
    page.on("domcontentloaded", () => (loads += 1));
    opened.push({ page, loads: () => loads });
  }
  await first.close();
  return opened;
}

/** Returns the version that the page's footer shows, or `undefined` if it shows none. */
async function version(page: Page): Promise<string | undefined> {
  return /Version (\d)/.exec((await page.getByRole("contentinfo").textContent()) ?? "")?.[1];
}

/** Copies this repository and builds the copy, whose pages show "Version 1" in the footer. */
function copyInstallation(): string {
  const home = createTemporaryFolder();
  const folders = ["bin", "contract", "docs", "scripts", "server", "web"];
  for (const part of [...folders, "vite.config.ts", "package.json", "package-lock.json"]) {
    cpSync(join(original, part), join(home, part), { recursive: true });
  }
  for (const part of ["node_modules", "runtime"]) symlinkSync(join(original, part), join(home, part));
  replaceIn(join(home, "web/page/footer.tsx"), "{name}\n", "{name} Version 1\n");
  build(home);
  return home;
}

/**
 * Builds the next version. It changes a module that every page imports, so that all parts of the
 * app get new file names.
 */
function publish(home: string, next: string): void {
  replaceIn(join(home, "web/page/footer.tsx"), "Version 1", `Version ${next}`);
  replaceIn(join(home, "web/app/main.tsx"), "firstPageMs = 3000", "firstPageMs = 2999");
  build(home);
}

function deletePreviousAssets(home: string): void {
  const kept = JSON.parse(readFileSync(join(home, "dist/.previous-assets.json"), "utf8")) as object;
  for (const name of Object.keys(kept)) rmSync(join(home, "dist/assets", name));
}

function replaceIn(file: string, text: string, by: string): void {
  const before = readFileSync(file, "utf8");
  expect(before).toContain(text);
  writeFileSync(file, before.replace(text, by));
}

function build(home: string): void {
  execFileSync(process.execPath, ["scripts/run.js", "scripts/build.ts"], { cwd: home });
}

import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { type Browser, chromium as browsers, type Page } from "playwright-core";
import sharp from "sharp";

import { chromium, ensureInstalled } from "../scripts/system-programs.ts";
import { home } from "../scripts/prepare.js";
import { runToEnd, start } from "../scripts/child-processes.ts";

const port = "4749";
const url = `http://localhost:${port}`;
const pictures = join(home, "docs/pictures");
/** What the browser shows before it installs the app; their sizes stand in its manifest. */
const screenshots = join(home, "web/public/screenshots");
const phone = { width: 390, height: 844 };
const laptop = { width: 1280, height: 1020 };
/** Space between two phones, and how round their corners are, in CSS pixels. */
const gap = 40;
const corner = 28;

interface Regular {
  readonly uname: string;
  readonly password: string;
}

/** `npm run pictures`: takes the pictures that README.md, docs/ and the manifest show, from the real program with its demo. */
export async function run(): Promise<number> {
  const executablePath = await ensureInstalled(chromium);
  if (executablePath === null) return 1;
  const dataDir = mkdtempSync(join(tmpdir(), "stammtisch-pictures-"));
  const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: "error" };
  const { code, output } = await runToEnd(join(home, "bin/stammtisch"), ["demo", "--json"], { env });
  if (code !== 0) throw new Error(output);
  const { members } = JSON.parse(output.slice(output.indexOf("{"))) as { members: readonly Regular[] };
  const server = start(join(home, "bin/stammtisch"), ["serve"], { env });
  const browser = await browsers.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await whenReady();
    for (const folder of [pictures, screenshots]) mkdirSync(folder, { recursive: true });
    const anna = members.find(({ uname }) => uname === "anna")!;
    const phones = [];
    for (const colorScheme of ["light", "dark"] as const)
      phones.push(await takeCounter(browser, anna, { viewport: phone, colorScheme }));
    const wide = await takeCounter(browser, anna, { viewport: laptop, colorScheme: "light" });
    const servers = await takeGameServers(browser, anna, { viewport: phone, colorScheme: "light" });
    const administration = await takeMembers(browser, anna, { viewport: phone, colorScheme: "dark" });
    await keep(join(pictures, "counter-phone.png"), await sideBySide(phones), 960);
    await keep(join(pictures, "counter-laptop.png"), wide, laptop.width);
    await keep(join(pictures, "host-phone.png"), await sideBySide([servers, administration]), 960);
    await keep(join(screenshots, "narrow.png"), phones[0]!, phone.width * 2);
    await keep(join(screenshots, "wide.png"), wide, laptop.width);
    return 0;
  } finally {
    await browser.close();
    server.kill("SIGTERM");
    await once(server, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function whenReady(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  throw new Error("The server did not start.");
}

interface Look {
  readonly viewport: { width: number; height: number };
  readonly colorScheme: "light" | "dark";
}

/** The counter as a member sees it who has just drunk, once everything on it is there and still. */
async function takeCounter(browser: Browser, member: Regular, look: Look): Promise<Buffer> {
  const page = await enter(browser, member, look);
  await page.getByRole("button", { name: "Bier trinken" }).click();
  return takeStill(page);
}

/** The game servers, one of which has just been started. */
async function takeGameServers(browser: Browser, member: Regular, look: Look): Promise<Buffer> {
  const page = await enter(browser, member, look);
  await page.goto("/game-servers");
  const arena = page.getByRole("listitem").filter({ hasText: "OpenArena" });
  await arena.getByRole("button", { name: "starten" }).click();
  await arena.getByText("Läuft").waitFor();
  await arena.getByText(/spiel(t|en):/).waitFor();
  const shot = await takeStill(page);
  await page.goto("/game-servers");
  await arena.getByRole("button", { name: "herunterfahren" }).click();
  await page.getByRole("button", { name: "Trotzdem herunterfahren" }).click();
  await arena.getByText("Aus", { exact: true }).waitFor();
  await page.close();
  return shot;
}

/** The members as an administrator sees them. */
async function takeMembers(browser: Browser, member: Regular, look: Look): Promise<Buffer> {
  const page = await enter(browser, member, look);
  await page.getByRole("button", { name: "Menü" }).click();
  await page.getByRole("link", { name: "Verwaltung" }).click();
  await page.getByText("Hannes").first().waitFor();
  return takeStill(page);
}

async function enter(browser: Browser, { uname, password }: Regular, look: Look): Promise<Page> {
  const settings = { baseURL: url, locale: "de-DE", reducedMotion: "reduce", deviceScaleFactor: 2 } as const;
  const page = await browser.newPage({ ...settings, ...look });
  await page.goto("/login");
  await page.getByLabel("Benutzername").fill(uname);
  await page.getByLabel("Passwort", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/beercounter");
  await declineNotifications(page);
  return page;
}

/** What the page looks like once no message lies on it and nothing moves. */
async function takeStill(page: Page): Promise<Buffer> {
  const flash = page.locator("[data-flash]");
  await flash.waitFor({ timeout: 2000 }).catch(() => undefined);
  await flash.waitFor({ state: "detached" });
  await page.mouse.move(0, 0);
  await page.waitForLoadState("networkidle");
  return page.screenshot({ animations: "disabled" });
}

/** Some browsers open without an answer, and then the page asks. */
async function declineNotifications(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Bier trinken" }).waitFor();
  const later = page.getByRole("button", { name: "Nicht jetzt" });
  if (await later.isVisible()) await later.click();
}

/** Phones with round corners in a row, on nothing. */
async function sideBySide(shots: readonly Buffer[]): Promise<Buffer> {
  const scale = 2;
  const [width, height] = [phone.width * scale, phone.height * scale];
  const mask = Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="${width}" height="${height}" rx="${corner * scale}"/></svg>`,
  );
  const layers = await Promise.all(
    shots.map(async (shot, index) => ({
      input: await sharp(shot)
        .composite([{ input: mask, blend: "dest-in" }])
        .png()
        .toBuffer(),
      left: index * (width + gap * scale),
      top: 0,
    })),
  );
  return sharp({
    create: {
      width: shots.length * (width + gap * scale) - gap * scale,
      height,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    },
  })
    .composite(layers)
    .png()
    .toBuffer();
}

/** Writes a picture with few colours: a page has few, and the repository keeps every version for ever. */
async function keep(path: string, picture: Buffer, width: number): Promise<void> {
  const small = await sharp(picture)
    .resize({ width })
    .png({ palette: true, colours: 96, effort: 10, compressionLevel: 9 })
    .toBuffer();
  writeFileSync(path, small);
  process.stdout.write(`${relative(home, path)}: ${Math.round(small.length / 1024)} KB\n`);
}

import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import { type APIResponse, type Browser, chromium as browsers, type Page } from "playwright-core";
import sharp from "sharp";

import { runToEnd, start } from "../scripts/child-processes.ts";
import { home, refreshWeb } from "../scripts/prepare.js";
import { chromium, ensureInstalled } from "../scripts/system-programs.ts";

const port = "4749";
const url = `http://localhost:${port}`;
const pictures = join(home, "docs/pictures");
/**
 * Folder of the screenshots that browsers show when they offer to install the app. The manifest
 * lists their sizes.
 */
const screenshots = join(home, "web/public/screenshots");
const phone = { width: 390, height: 844 };
const laptop = { width: 1280, height: 1020 };
const screen = { width: 1280, height: 720 };
/**
 * Height in CSS pixels to which phone screenshots are cropped for the members' guide; the upper
 * part is kept.
 */
const guideHeight = 600;
/** Space between two phone screenshots in CSS pixels. */
const gap = 40;
/** Radius of the corners of a phone screenshot in CSS pixels. */
const corner = 28;

interface DemoUser {
  readonly uname: string;
  readonly password: string;
}

/**
 * `npm run pictures`: takes the screenshots for README.md, the members' guide and the manifest.
 * Starts a server with demo data.
 */
export async function run(): Promise<number> {
  const executablePath = await ensureInstalled(chromium);
  if (executablePath === null) return 1;
  refreshWeb();
  const dataDir = mkdtempSync(join(tmpdir(), "stammtisch-pictures-"));
  const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: "error" };
  const { code, output } = await runToEnd(join(home, "bin/stammtisch"), ["demo", "--json"], { env });
  if (code !== 0) throw new Error(output);
  const { members } = JSON.parse(output.slice(output.indexOf("{"))) as { members: readonly DemoUser[] };
  const server = start(join(home, "bin/stammtisch"), ["serve"], { env });
  const browser = await browsers.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    await waitUntilReady();
    for (const folder of [pictures, screenshots]) mkdirSync(folder, { recursive: true });
    const anna = members.find(({ uname }) => uname === "anna")!;
    const phones = [];
    for (const colorScheme of ["light", "dark"] as const)
      phones.push(await captureCounter(browser, anna, { viewport: phone, colorScheme }));
    const wide = await captureCounter(browser, anna, { viewport: laptop, colorScheme: "light" });
    const servers = await captureGameServers(browser, anna, { viewport: phone, colorScheme: "light" });
    const administration = await captureMembers(browser, anna, { viewport: phone, colorScheme: "dark" });
    const story = await captureReview(browser, anna, { viewport: phone, colorScheme: "light" });
    const calendar = await captureCalendar(browser, anna, { viewport: screen, colorScheme: "light" });
    const television = await captureTv(browser, anna);
    const options = { viewport: phone, colorScheme: "light" } as const;
    const guide = {
      party: await captureParty(browser, anna, options),
      doors: await captureOwnDoors(browser, anna, options),
      mat: await captureMemberPage(browser, anna, options),
    };
    for (const [name, shot] of Object.entries(guide)) await writeGuidePicture(name, shot);
    await writePng(join(pictures, "evening-phone.png"), await joinPhones(Object.values(guide)), 1280);
    await writePng(join(pictures, "review-phone.png"), await joinPhones(story), 1280);
    await writePng(join(pictures, "calendar-laptop.png"), calendar, screen.width);
    await writePng(join(pictures, "tv.png"), television, screen.width);
    await writePng(join(pictures, "counter-phone.png"), await joinPhones(phones), 960);
    await writePng(join(pictures, "counter-laptop.png"), wide, laptop.width);
    await writePng(join(pictures, "host-phone.png"), await joinPhones([servers, administration]), 960);
    await writePng(join(screenshots, "narrow.png"), phones[0]!, phone.width * 2);
    await writePng(join(screenshots, "wide.png"), wide, laptop.width);
    return 0;
  } finally {
    await browser.close();
    server.kill("SIGTERM");
    await once(server, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function waitUntilReady(): Promise<void> {
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

interface ViewOptions {
  readonly viewport: { width: number; height: number };
  readonly colorScheme: "light" | "dark";
}

/** Takes a screenshot of the counter page after a tap. */
async function captureCounter(browser: Browser, member: DemoUser, options: ViewOptions): Promise<Buffer> {
  const page = await logIn(browser, member, options);
  await page.getByRole("button", { name: "Bier trinken" }).click();
  return takeScreenshot(page);
}

/** Takes a screenshot of the page of the game servers, one of which is running. */
async function captureGameServers(browser: Browser, member: DemoUser, options: ViewOptions): Promise<Buffer> {
  const page = await logIn(browser, member, options);
  await page.goto("/game-servers");
  const arena = page.getByRole("listitem").filter({ hasText: "OpenArena" });
  await arena.getByRole("button", { name: "starten" }).click();
  await arena.getByText("Läuft").waitFor();
  await arena.getByText(/spiel(t|en):/).waitFor();
  const shot = await takeScreenshot(page);
  await page.goto("/game-servers");
  await arena.getByRole("button", { name: "herunterfahren" }).click();
  await page.getByRole("button", { name: "Trotzdem herunterfahren" }).click();
  await arena.getByText("Aus", { exact: true }).waitFor();
  await page.close();
  return shot;
}

async function captureMembers(browser: Browser, member: DemoUser, options: ViewOptions): Promise<Buffer> {
  const page = await logIn(browser, member, options);
  await page.getByRole("button", { name: "Menü" }).click();
  await page.getByRole("link", { name: "Verwaltung" }).click();
  await page.getByText("Hannes").first().waitFor();
  return takeScreenshot(page);
}

async function captureReview(browser: Browser, member: DemoUser, options: ViewOptions): Promise<Buffer[]> {
  const page = await logIn(browser, member, options);
  await page.goto("/wrapped");
  const shots = [];
  for (const title of ["So viel stand auf dem Tisch", "Und wenn man das stapelt?", "Am vollsten war der Tisch"]) {
    while (!(await page.getByRole("heading", { name: title }).isVisible()))
      await page.getByRole("button", { name: "Weiter" }).click();
    shots.push(await takeScreenshot(page));
  }
  await page.close();
  return shots;
}

/** Takes a screenshot of last year's calendar with five open doors. */
async function captureCalendar(browser: Browser, member: DemoUser, options: ViewOptions): Promise<Buffer> {
  const page = await logIn(browser, member, options);
  await page.goto("/christmas-calendar");
  await page.getByRole("navigation", { name: "Archiv" }).getByRole("button").last().click();
  for (const day of [1, 2, 3, 5, 8]) {
    await page.getByRole("button", { name: `${day} Memechen Nr.`, exact: true }).click();
    await page.getByRole("button", { name: `${day}. Dezember groß ansehen` }).waitFor();
  }
  await page.evaluate(() => scrollTo(0, 0));
  return takeScreenshot(page);
}

async function captureParty(browser: Browser, member: DemoUser, options: ViewOptions): Promise<Buffer> {
  const page = await logIn(browser, member, options);
  const { parties } = (await (await page.request.get("/api/running-parties")).json()) as {
    parties: readonly { is_member: boolean }[];
  };
  if (!parties.some(({ is_member }) => is_member)) await post(page, "/api/parties", { name: "Abend am Tresen" });
  await page.reload();
  await page.getByRole("button", { name: "Bier trinken" }).click();
  const shot = await takeScreenshot(page);
  await page.close();
  return shot;
}

/**
 * Takes a screenshot of the calendar with the member's own doors. If the member has none, first
 * runs the lottery that assigns doors.
 */
async function captureOwnDoors(browser: Browser, member: DemoUser, options: ViewOptions): Promise<Buffer> {
  const page = await logIn(browser, member, options);
  const calendar = (await (await page.request.get("/api/christmas-calendar/opened-images")).json()) as {
    own_doors: readonly object[];
  };
  if (calendar.own_doors.length === 0) await post(page, "/api/admin/calendar/lottery", {});
  await page.goto("/christmas-calendar");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const shot = await takeScreenshot(page);
  await page.close();
  return shot;
}

async function captureMemberPage(browser: Browser, member: DemoUser, options: ViewOptions): Promise<Buffer> {
  const page = await logIn(browser, member, options);
  await page.goto("/member");
  await page.getByRole("heading", { name: "Erstes und rundes" }).waitFor();
  const shot = await takeScreenshot(page);
  await page.close();
  return shot;
}

async function captureTv(browser: Browser, member: DemoUser): Promise<Buffer> {
  const page = await logIn(browser, member, { viewport: screen, colorScheme: "dark" });
  const answer = await post(page, "/api/admin/tv", { name: "Theke" });
  const { url: link } = (await answer.json()) as { url: string };
  await page.goto(link);
  await page.getByRole("region", { name: "Zuletzt" }).getByRole("listitem").first().waitFor();
  return takeScreenshot(page);
}

/** Sends a POST request as the member who is logged in on the page. */
async function post(page: Page, path: string, data: object): Promise<APIResponse> {
  const cookies = await page.context().cookies();
  const headers = { "X-XSRF-TOKEN": decodeURIComponent(cookies.find(({ name }) => name === "XSRF-TOKEN")!.value) };
  return page.request.post(path, { headers, data });
}

async function logIn(browser: Browser, { uname, password }: DemoUser, options: ViewOptions): Promise<Page> {
  const settings = { baseURL: url, locale: "de-DE", reducedMotion: "reduce", deviceScaleFactor: 2 } as const;
  const page = await browser.newPage({ ...settings, ...options });
  await page.goto("/login");
  await page.getByLabel("Benutzername").fill(uname);
  await page.getByLabel("Passwort", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
  await page.waitForURL("**/beercounter");
  await declineNotifications(page);
  return page;
}

/** Takes a screenshot after the flash message has disappeared, without animations. */
async function takeScreenshot(page: Page): Promise<Buffer> {
  const flash = page.locator("[data-flash]");
  await flash.waitFor({ timeout: 2000 }).catch(() => undefined);
  await flash.waitFor({ state: "detached" });
  await page.mouse.move(0, 0);
  await page.waitForLoadState("networkidle");
  return page.screenshot({ animations: "disabled" });
}

/** Declines the prompt to allow notifications, if the page shows it. */
async function declineNotifications(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Bier trinken" }).waitFor();
  const later = page.getByRole("button", { name: "Nicht jetzt" });
  if (await later.isVisible()) await later.click();
}

/** Joins phone screenshots side by side, with rounded corners on a transparent background. */
async function joinPhones(shots: readonly Buffer[]): Promise<Buffer> {
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

/**
 * Writes the upper part of a phone screenshot for docs/members.de.md, as a small file, because
 * members load it.
 */
async function writeGuidePicture(name: string, picture: Buffer): Promise<void> {
  const path = join(pictures, `members-${name}.webp`);
  const upper = { left: 0, top: 0, width: phone.width * 2, height: guideHeight * 2 };
  const small = await sharp(picture).extract(upper).resize({ width: 600 }).webp({ quality: 72, effort: 6 }).toBuffer();
  writeFileSync(path, small);
  process.stdout.write(`${relative(home, path)}: ${Math.round(small.length / 1024)} KB\n`);
}

/**
 * Writes a PNG with few colours: the file must be small, because the repository keeps every
 * version.
 */
async function writePng(path: string, picture: Buffer, width: number): Promise<void> {
  const small = await sharp(picture)
    .resize({ width })
    .png({ palette: true, colours: 96, effort: 10, compressionLevel: 9 })
    .toBuffer();
  writeFileSync(path, small);
  process.stdout.write(`${relative(home, path)}: ${Math.round(small.length / 1024)} KB\n`);
}

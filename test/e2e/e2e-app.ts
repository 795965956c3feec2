import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

import { endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import {
  createServerProcess,
  password as usualPassword,
  register,
  type Registration,
} from "#test/process/server-process.ts";
import {
  chromium as wholeChromium,
  findProgram,
  headlessShell,
  requireProgram,
} from "../../scripts/system-programs.ts";

export type E2eMember = Registration;

/** The whole product as its users meet it: the real executable on an empty data directory, and real browsers in front. */
export interface E2eApp {
  readonly url: string;
  readonly dataDir: string;
  readonly members: readonly E2eMember[];
  /** Registers people through one invitation, by the calls of the form. The user name of "Anna" is "anna". */
  registerMembers(...people: (string | Omit<E2eMember, "password">)[]): Promise<void>;
  /** What the server has printed on stdout. */
  readonly stdout: () => string;
  /** Runs a command beside the server and returns what `--json` printed. */
  runCommand<Result>(...words: string[]): Promise<Result>;
  /** A page of its own browser profile, phone-sized unless told otherwise. Its console must stay clean. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** A member who is logged in already, without a screen. */
  loggedInClient(uname: string): Promise<Client>;
  /** The same, with a screen. */
  loggedInPage(uname: string, options?: LoggedInPageOptions): Promise<Page>;
  start(): Promise<void>;
  /** Ends the server as a power cut would. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

interface LoggedInPageOptions extends BrowserContextOptions {
  /** Another page than the counter. */
  readonly path?: string;
  /** Waits until the page is subscribed to this channel. */
  readonly channel?: string;
}

export const phone = { width: 390, height: 844 };
export const laptop = { width: 1280, height: 800 };

/** A name that browsers do not trust without https, as they do localhost. */
export const homeName = "stammtisch.home";

const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--host-resolver-rules=MAP ${homeName} 127.0.0.1`,
];

/**
 * Browsers log every refused form, every session that ended while its page asked for something, every picture that was deleted
 * meanwhile, every server that is switched off, every page whose code is not to be had, and that a private window cannot be pushed
 * to; anything else is a mistake of ours.
 */
const expectedErrors =
  /status of (401|403|422|423|503)|status of 404 .*\/internal\/images\/avatar\/|net::ERR_(?!BLOCKED|CERT|INVALID)|Connection closed before|fetching the script|Push API in incognito|A page could not be loaded/;

export interface E2eAppOptions {
  /** With the members and data of the demo. */
  readonly withDemo?: boolean;
  readonly env?: Record<string, string>;
  /** Where the installation is, if it is not this one. */
  readonly home?: string;
  /** Also with notifications, which the faster browser leaves out. */
  readonly needsFullBrowser?: boolean;
  /** Pages bring their service worker, which keeps the app on the device; to those who do not look at it, it is a fifth of the work. */
  readonly withServiceWorker?: boolean;
  /** Over plain http under `homeName`, instead of localhost. */
  readonly isAtHome?: boolean;
}

/** One browser of each kind is enough for all the files that a worker runs; it ends with the worker. */
const browsers = new Map<string, Promise<Browser>>();

/** The demo draws its pictures for seconds; what it made is copied for all the files of a worker that want the same one. */
const demoTemplates = new Map<string, { dataDir: string; members: E2eMember[] }>();
process.once("exit", () => demoTemplates.forEach(({ dataDir }) => rmSync(dataDir, { recursive: true, force: true })));

/** Starts a server of its own, with a browser; both end with the test or the file. */
export async function createE2eApp(options: E2eAppOptions = {}): Promise<E2eApp> {
  const server = await createServerProcess({
    env: { NODE_ENV: "test", RATE_LIMIT_FACTOR: "1", ...options.env },
    ...(options.home !== undefined && { home: options.home }),
  });
  const { dataDir } = server;
  const localUrl = `http://localhost:${server.port}`;
  const url = options.isAtHome ? `http://${homeName}:${server.port}` : localUrl;
  if (options.isAtHome) Object.assign(server.env, { APP_URL: url, EXTRA_ORIGINS: localUrl, ALLOW_INSECURE_HTTP: "1" });
  const consoleErrors: string[] = [];
  const contexts: BrowserContext[] = [];
  const members: E2eMember[] = [];

  async function newPage(contextOptions: BrowserContextOptions = {}): Promise<Page> {
    const executablePath = browserFor(options);
    if (!browsers.has(executablePath)) {
      browsers.set(executablePath, chromium.launch({ executablePath, args: chromiumFlags }));
    }
    const browser = await browsers.get(executablePath)!;
    // Movement costs more than all the rest together; those who test it ask for it.
    const serviceWorkers = options.withServiceWorker ? "allow" : "block";
    const usual = { baseURL: url, locale: "de-DE", viewport: phone, reducedMotion: "reduce", serviceWorkers } as const;
    const context = await browser.newContext({ ...usual, ...contextOptions });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    waitForApp(page);
    page.on("pageerror", (error) => consoleErrors.push(`page error: ${error.message}`));
    page.on("console", (message) => {
      const text = `${message.text()} (${message.location().url})`;
      if (message.type() === "error" && !expectedErrors.test(text)) consoleErrors.push(`console error: ${text}`);
    });
    return page;
  }

  async function copyDemo(): Promise<void> {
    const key = JSON.stringify([options.home, options.env]);
    if (!demoTemplates.has(key)) {
      const demo = (await server.call("demo")) as { members: E2eMember[] };
      const copy = mkdtempSync(join(tmpdir(), "stammtisch-demo-"));
      cpSync(dataDir, copy, { recursive: true });
      demoTemplates.set(key, { dataDir: copy, members: demo.members });
    }
    const demo = demoTemplates.get(key)!;
    cpSync(demo.dataDir, dataDir, { recursive: true });
    members.push(...demo.members);
  }

  if (options.withDemo) await copyDemo();
  await server.start();

  return {
    url,
    dataDir,
    members,
    stdout: () => server.output.out,
    runCommand: server.call,
    newPage,
    start: async () => void (await server.start()),
    kill: () => server.kill(),
    async registerMembers(...people) {
      const { token } = await server.call("invite", "create", "--uses", String(people.length));
      for (const person of people) {
        const names = typeof person === "string" ? { uname: person.toLowerCase(), name: person } : person;
        const member = { ...names, password: usualPassword };
        await register(server, token, member);
        members.push(member);
      }
    },
    async loggedInClient(uname) {
      const client = server.createClient();
      const { password } = members.find((one) => one.uname === uname)!;
      expect((await client.post("/api/login", { uname, password })).status).toBe(200);
      return client;
    },
    async loggedInPage(uname, { path = "/beercounter", channel, ...contextOptions } = {}) {
      const member = members.find((one) => one.uname === uname)!;
      const page = await newPage(contextOptions);
      const context = page.context();
      const headers = { "X-XSRF-TOKEN": await fetchToken(context) };
      const data = { uname, password: member.password };
      const answer = await context.request.post("/api/login", { headers, data });
      if (!answer.ok()) throw new Error(`${uname} could not log in: ${await answer.text()}`);
      const subscribed = channel === undefined ? undefined : waitForSubscription(page, channel);
      await page.goto(path);
      await subscribed;
      return page;
    },
    close: endWithTest(async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      await server[Symbol.asyncDispose]();
      expect(consoleErrors).toEqual([]);
    }),
  };
}

/** From now on a page is open only when the app has taken the place of its skeleton. */
function waitForApp(page: Page): void {
  const { goto, reload } = page;
  const started = () => page.locator(".skeleton").waitFor({ state: "detached" });
  page.goto = async (...args) => {
    const answer = await goto.apply(page, args);
    await started();
    return answer;
  };
  page.reload = async (...args) => {
    const answer = await reload.apply(page, args);
    await started();
    return answer;
  };
}

function browserFor({ needsFullBrowser = false }: E2eAppOptions): string {
  return (needsFullBrowser ? null : findProgram(headlessShell)) ?? requireProgram(wholeChromium);
}

/** Resolves once the page receives every beer, or the events of another channel; call it before the page logs in. */
export function waitForSubscription(page: Page, channel = "private-beercounter"): Promise<void> {
  return new Promise((resolve) => {
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        const text = payload.toString();
        if (text.includes("subscription_succeeded") && text.includes(channel)) resolve();
      });
    });
  });
}

/** Fills the login form that is on the screen and sends it. */
export async function logIn(page: Page, uname: string, password: string): Promise<void> {
  // While the page changes, the one that is left may have a field of the same name.
  await page.getByRole("heading", { name: "Login" }).waitFor();
  await page.getByLabel("Benutzername").fill(uname);
  await page.getByLabel("Passwort", { exact: true }).fill(password);
  await page.getByRole("main").getByRole("button", { name: "Login" }).click();
}

async function fetchToken(context: BrowserContext): Promise<string> {
  await context.request.get("/sanctum/csrf-cookie");
  const cookies = await context.cookies();
  return decodeURIComponent(cookies.find(({ name }) => name === "XSRF-TOKEN")!.value);
}

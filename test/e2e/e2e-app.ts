import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";

import { endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import {
  createServerProcess,
  password as usualPassword,
  register,
  type Registration,
  type ServerProcess,
} from "#test/process/server-process.ts";
import { chromium as wholeChromium, findProgram, headlessShell } from "../../scripts/system-programs.ts";

export interface E2eMember extends Registration {
  /** The name by which a test refers to the member. */
  readonly key: string;
}

/** The real server program on its own data directory. */
export interface E2eServer {
  readonly url: string;
  readonly process: ServerProcess;
  /** The members of the demo; without demo data none. */
  readonly demoMembers: readonly E2eMember[];
}

/** A server and its members, used through real browsers. */
export interface E2eApp {
  readonly url: string;
  readonly dataDir: string;
  readonly members: readonly E2eMember[];
  /**
   * Registers people through the API with one invitation. A name such as "Anna" gets the key and
   * user name "anna".
   */
  registerMembers(...people: (string | Omit<E2eMember, "password" | "key">)[]): Promise<void>;
  /** Output of the server on stdout. */
  readonly stdout: () => string;
  /** Runs a command of the app beside the running server, and returns its `--json` output. */
  runCommand<Result>(...words: string[]): Promise<Result>;
  /**
   * Opens a page in a new browser profile, by default in the size of a phone. The test fails if the
   * page logs an error.
   */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Returns a client of a logged-in member, without a browser. */
  loggedInClient(key: string): Promise<Client>;
  /** Opens a page of a logged-in member. */
  loggedInPage(key: string, options?: LoggedInPageOptions): Promise<Page>;
  /**
   * Returns a page of a logged-in member, or of a visitor if `key` is `null`: the same page in all
   * tests of a file, because loading the app a second time takes half of the time. The page shows
   * what the previous test has left.
   */
  keptPage(key: string | null): Promise<Page>;
  /** Gives a member permissions, or the role `admin`. */
  grant(key: string, ...permissions: string[]): Promise<void>;
  start(): Promise<void>;
  /** Kills the server without a shutdown, like a power cut. */
  kill(): Promise<void>;
  /** Closes all pages but the kept ones, and throws if a page has logged an error. */
  closePages(): Promise<void>;
  /** Closes the kept pages, too. */
  closeAllPages(): Promise<void>;
  /** Closes all pages and the server. */
  close(): Promise<void>;
}

interface LoggedInPageOptions extends BrowserContextOptions {
  /** Path of the page to open; by default the counter. */
  readonly path?: string;
  /** Realtime channel; if set, the call waits until the page is subscribed to it. */
  readonly channel?: string;
}

export const phone = { width: 390, height: 844 };
export const laptop = { width: 1280, height: 800 };

/** Host name that browsers do not trust without https, unlike localhost. */
export const homeName = "stammtisch.home";

export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--host-resolver-rules=MAP ${homeName} 127.0.0.1`,
];

/** Settings of browser windows. Motion is reduced, because animations would take most of the tests' time. */
export const usualWindow = { locale: "de-DE", viewport: phone, reducedMotion: "reduce" } as const;

/**
 * Errors that browsers log for refused requests, ended sessions, deleted pictures, stopped servers,
 * unavailable scripts, and pushes in private windows. Any other logged error fails the test.
 */
const expectedErrors =
  /status of (401|403|422|423|503)|status of 419 .*\/broadcasting\/|status of 404 .*\/internal\/images\/avatar\/|net::ERR_(?!BLOCKED|CERT|INVALID)|Connection closed before|establish a connection to the server at ws|fetching the script|Push API in incognito|A page could not be loaded/;

export interface E2eServerOptions {
  /** `true` to start with the demo's members and data. */
  readonly withDemo?: boolean;
  readonly env?: Record<string, string>;
  /** Folder of the installation; by default this repository. */
  readonly home?: string;
  /** `true` to serve plain http at `homeName` instead of localhost. */
  readonly isAtHome?: boolean;
}

export interface E2eAppOptions extends E2eServerOptions {
  /** `true` for tests of notifications, which the faster headless browser does not support. */
  readonly needsFullBrowser?: boolean;
  /** `true` to allow the service worker; blocked by default, because it slows tests down. */
  readonly withServiceWorker?: boolean;
}

/**
 * Running browsers by executable path, shared by all test files of a test worker and closed when
 * the worker ends.
 */
const browsers = new Map<string, Promise<Browser>>();

/**
 * Data directories with demo data, by installation folder and environment. Creating demo data takes
 * seconds, so all test files of a test worker copy them.
 */
const demoTemplates = new Map<string, { dataDir: string; members: E2eMember[] }>();
process.once("exit", () => demoTemplates.forEach(({ dataDir }) => rmSync(dataDir, { recursive: true, force: true })));

/** Starts a server on its own data directory. */
export async function startE2eServer(options: E2eServerOptions = {}): Promise<E2eServer> {
  const server = await createServerProcess({
    env: { NODE_ENV: "test", RATE_LIMIT_FACTOR: "100", ...options.env },
    ...(options.home !== undefined && { home: options.home }),
  });
  const localUrl = `http://localhost:${server.port}`;
  const url = options.isAtHome ? `http://${homeName}:${server.port}` : localUrl;
  if (options.isAtHome) Object.assign(server.env, { APP_URL: url, EXTRA_ORIGINS: localUrl, ALLOW_INSECURE_HTTP: "1" });
  const demoMembers = options.withDemo ? await copyDemo(server, JSON.stringify([options.home, options.env])) : [];
  await server.start();
  return { url, process: server, demoMembers };
}

async function copyDemo(server: ServerProcess, key: string): Promise<readonly E2eMember[]> {
  if (!demoTemplates.has(key)) {
    const demo = (await server.call("demo")) as { members: Registration[] };
    const copy = mkdtempSync(join(tmpdir(), "stammtisch-demo-"));
    cpSync(server.dataDir, copy, { recursive: true });
    demoTemplates.set(key, { dataDir: copy, members: demo.members.map((one) => ({ ...one, key: one.uname })) });
  }
  const demo = demoTemplates.get(key)!;
  cpSync(demo.dataDir, server.dataDir, { recursive: true });
  return demo.members;
}

/** Starts a server and a browser, which are closed after the test or the file. */
export async function createE2eApp(options: E2eAppOptions = {}): Promise<E2eApp> {
  const server = await startE2eServer(options);
  const serviceWorkers = options.withServiceWorker ? "allow" : "block";
  const app = openE2eApp(server, async (window) =>
    (await launchBrowser(options)).newContext({ ...usualWindow, serviceWorkers, ...window }),
  );
  return { ...app, close: endWithTest(app.close) };
}

async function launchBrowser({ needsFullBrowser = false }: E2eAppOptions): Promise<Browser> {
  const executablePath = browserPath(needsFullBrowser);
  if (!browsers.has(executablePath)) {
    browsers.set(executablePath, chromium.launch({ executablePath, args: chromiumFlags }));
  }
  return browsers.get(executablePath)!;
}

/** Returns the path of Chromium, or its name if it is missing: the check for dead code must load playwright.config.ts. */
export function browserPath(needsFullBrowser: boolean): string {
  return (needsFullBrowser ? null : findProgram(headlessShell)) ?? findProgram(wholeChromium) ?? wholeChromium.package;
}

/**
 * Returns an app on a running server, whose pages open in contexts from `newContext`. `suffix` ends
 * the user names, if other tests use the same server.
 */
export function openE2eApp(
  server: E2eServer,
  newContext: (options: BrowserContextOptions) => Promise<BrowserContext>,
  suffix = "",
): E2eApp {
  const { url, process: program } = server;
  const members: E2eMember[] = [...server.demoMembers];
  const contexts: BrowserContext[] = [];
  const kept = new Map<string | null, Page>();
  const consoleErrors: string[] = [];

  function findMember(key: string): E2eMember {
    const member = members.find((one) => one.key === key);
    if (!member) throw new Error(`No member ${key} was registered.`);
    return member;
  }

  async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await newContext({ baseURL: url, ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    waitForApp(page);
    page.on("pageerror", ({ message }) => {
      if (!expectedErrors.test(message)) consoleErrors.push(`page error: ${message}`);
    });
    page.on("console", (message) => {
      const text = `${message.text()} (${message.location().url})`;
      if (message.type() === "error" && !expectedErrors.test(text)) consoleErrors.push(`console error: ${text}`);
    });
    return page;
  }

  async function loggedInPage(key: string, options: LoggedInPageOptions = {}): Promise<Page> {
    const { path = "/beercounter", channel, ...contextOptions } = options;
    const { uname, password } = findMember(key);
    const page = await newPage(contextOptions);
    const context = page.context();
    const headers = { "X-XSRF-TOKEN": await fetchToken(context) };
    const answer = await context.request.post("/api/login", { headers, data: { uname, password } });
    if (!answer.ok()) throw new Error(`${uname} could not log in: ${await answer.text()}`);
    const subscribed = channel === undefined ? undefined : waitForSubscription(page, channel);
    await page.goto(path);
    await subscribed;
    return page;
  }

  async function closePages(): Promise<void> {
    for (const page of kept.values()) await page.unrouteAll({ behavior: "ignoreErrors" });
    const keptContexts = new Set([...kept.values()].map((page) => page.context()));
    const closing = contexts.filter((context) => !keptContexts.has(context));
    contexts.splice(0, contexts.length, ...keptContexts);
    await Promise.all(closing.map((context) => context.close()));
    const errors = consoleErrors.splice(0);
    if (errors.length > 0) throw new Error(`The browser logged errors:\n${errors.join("\n")}`);
  }

  async function closeAllPages(): Promise<void> {
    kept.clear();
    await closePages();
  }

  return {
    url,
    dataDir: program.dataDir,
    members,
    stdout: () => program.output.out,
    runCommand: program.call,
    newPage,
    closePages,
    closeAllPages,
    start: async () => void (await program.start()),
    kill: () => program.kill(),
    async registerMembers(...people) {
      if (people.length === 0) return;
      const { token } = await program.call("invite", "create", "--uses", String(people.length));
      for (const person of people) {
        const { uname: key, name } =
          typeof person === "string" ? { uname: person.toLowerCase(), name: person } : person;
        const member = { uname: key + suffix, name, password: usualPassword };
        await register(program, token, member);
        members.push({ ...member, key });
      }
    },
    async loggedInClient(key) {
      const client = program.createClient();
      const { uname, password } = findMember(key);
      const { status, text } = await client.post("/api/login", { uname, password });
      if (status !== 200) throw new Error(`${uname} could not log in: ${text}`);
      return client;
    },
    loggedInPage,
    async keptPage(key) {
      const page = kept.get(key) ?? (await (key === null ? newPage() : loggedInPage(key, { path: "about:blank" })));
      kept.set(key, page);
      return page;
    },
    async grant(key, ...permissions) {
      await program.call("user", "grant", findMember(key).uname, ...permissions);
    },
    async close() {
      try {
        await closeAllPages();
      } finally {
        await program[Symbol.asyncDispose]();
      }
    },
  };
}

/**
 * Makes `goto` and `reload` wait until the app has started and removed the skeleton.
 */
function waitForApp(page: Page): void {
  const { goto, reload } = page;
  const started = () => page.locator("#skeleton").waitFor({ state: "detached" });
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

/**
 * Resolves once the page is subscribed to a realtime channel, by default that of the beer counter.
 * Call this function before the page logs in.
 */
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

/** Fills in and submits the login form. */
export async function logIn(page: Page, uname: string, password: string): Promise<void> {
  // During navigation, the previous page may still show a field with the same name.
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

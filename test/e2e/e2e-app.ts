import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

import { freePort } from "#test/free-port.ts";
import {
  chromium as wholeChromium,
  findProgram,
  headlessShell,
  requireProgram,
} from "../../scripts/system-programs.ts";

const projectRoot = join(import.meta.dirname, "../..");
const runFile = promisify(execFile);

export interface E2eMember {
  readonly uname: string;
  readonly name: string;
  readonly password: string;
}

/** The whole product as its users meet it: the real executable on an empty data directory, and real browsers in front. */
export interface E2eApp {
  readonly url: string;
  readonly dataDir: string;
  readonly members: readonly E2eMember[];
  /** Lets people register through one invitation, by the calls of the form; from then on they are members. */
  registerMembers(people: readonly Omit<E2eMember, "password">[]): Promise<void>;
  /** What the server has printed on stdout. */
  readonly stdout: () => string;
  /** Runs the executable beside the server and returns what `--json` printed. */
  runCommand<Result>(...words: string[]): Promise<Result>;
  /** A page of its own browser profile, phone-sized unless told otherwise. Its console must stay clean. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** The same, with a member who is logged in already. */
  loggedInPage(uname: string, options?: BrowserContextOptions): Promise<Page>;
  start(): Promise<void>;
  /** Ends the server as a power cut would. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export const phone = { width: 390, height: 844 };
export const laptop = { width: 1280, height: 800 };

const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Browsers log every refused form, every session that ended while its page asked for something, every server that is
 * switched off, and that a private window cannot be pushed to; anything else is a mistake of ours.
 */
const expectedErrors =
  /status of (401|403|422|423|503)|net::ERR_(?!BLOCKED|CERT|INVALID)|Connection closed before|Push API in incognito/;

export interface E2eAppOptions {
  /** The regulars are there already. */
  readonly withDemo?: boolean;
  readonly env?: Record<string, string>;
  /** The installation, if it is not this one. */
  readonly installation?: string;
  /** Also with notifications, which the faster browser leaves out. */
  readonly needsFullBrowser?: boolean;
  /** Pages bring their service worker, which keeps the app on the device; to those who do not look at it, it is a fifth of the work. */
  readonly withServiceWorker?: boolean;
}

/** One browser of each kind is enough for all the files that a worker runs; it ends with the worker. */
const browsers = new Map<string, Promise<Browser>>();

/** The demo draws its pictures for seconds; what it made is copied for all the files of a worker that want the same one. */
const demoTemplates = new Map<string, { dataDir: string; members: E2eMember[] }>();
process.once("exit", () => demoTemplates.forEach(({ dataDir }) => rmSync(dataDir, { recursive: true, force: true })));

/** Starts a server of its own, with a browser. */
export async function createE2eApp(options: E2eAppOptions = {}): Promise<E2eApp> {
  const executable = join(options.installation ?? projectRoot, "bin/stammtisch");
  const dataDir = mkdtempSync(join(tmpdir(), "stammtisch-e2e-"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    ...process.env,
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: "warn",
    ...options.env,
  };
  const consoleErrors: string[] = [];
  let server: ChildProcess | undefined;
  let printed = "";
  const contexts: BrowserContext[] = [];

  async function run<Result>(...words: string[]): Promise<Result> {
    const { stdout } = await runFile(executable, [...words, "--json"], { env, maxBuffer: 2 ** 26 });
    return JSON.parse(stdout) as Result;
  }

  async function start(): Promise<void> {
    const child = spawn(executable, ["serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
    server = child;
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    for (let attempt = 0; attempt < 600; attempt++) {
      const isUp = await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) return;
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${printed}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error("The server did not start.");
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  }

  async function page(contextOptions: BrowserContextOptions = {}): Promise<Page> {
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
    const opened = await context.newPage();
    opened.setDefaultTimeout(15_000);
    opened.on("pageerror", (error) => consoleErrors.push(`page error: ${error.message}`));
    opened.on("console", (message) => {
      if (message.type() !== "error" || expectedErrors.test(message.text())) return;
      consoleErrors.push(`console error: ${message.text()} (${message.location().url})`);
    });
    return opened;
  }

  async function invite(): Promise<E2eMember[]> {
    const wanted = JSON.stringify([executable, options.env]);
    if (!demoTemplates.has(wanted)) {
      const { members: regulars } = await run<{ members: E2eMember[] }>("demo");
      const copy = mkdtempSync(join(tmpdir(), "stammtisch-demo-"));
      cpSync(dataDir, copy, { recursive: true });
      demoTemplates.set(wanted, { dataDir: copy, members: regulars });
    }
    const demo = demoTemplates.get(wanted)!;
    cpSync(demo.dataDir, dataDir, { recursive: true });
    return [...demo.members];
  }

  const members = options.withDemo ? await invite() : [];
  await start();
  process.once("exit", () => {
    server?.kill("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  });

  return {
    url,
    dataDir,
    members,
    stdout: () => printed,
    runCommand: run,
    newPage: page,
    start,
    async registerMembers(people) {
      const { token } = await run<{ token: string }>("invite", "create", "--uses", String(people.length));
      for (const person of people) {
        const member = { ...person, password: "Zapfhahn-im-Keller-3" };
        await register(url, token, member);
        members.push(member);
      }
    },
    kill: () => end("SIGKILL"),
    async loggedInPage(uname, contextOptions) {
      const { password } = members.find((member) => member.uname === uname)!;
      const opened = await page(contextOptions);
      const context = opened.context();
      const headers = { "X-XSRF-TOKEN": await fetchToken(context) };
      const answer = await context.request.post("/api/login", { headers, data: { uname, password } });
      if (!answer.ok()) throw new Error(`${uname} could not log in: ${await answer.text()}`);
      await opened.goto("/beercounter");
      return opened;
    },
    async close() {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      await end("SIGTERM");
      rmSync(dataDir, { recursive: true, force: true });
      expect(consoleErrors).toEqual([]);
    },
  };
}

function browserFor({ needsFullBrowser = false }: E2eAppOptions): string {
  return (needsFullBrowser ? null : findProgram(headlessShell)) ?? requireProgram(wholeChromium);
}

/** Resolves once the page hears of every beer, or of what else a channel tells; call it before the page logs in. */
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

async function register(url: string, token: string, { password, ...person }: E2eMember): Promise<void> {
  const { headers } = await fetch(`${url}/sanctum/csrf-cookie`);
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(";")[0]!);
  const proof = cookies.find((cookie) => cookie.startsWith("XSRF-TOKEN="))!.slice("XSRF-TOKEN=".length);
  const answer = await fetch(`${url}/api/register`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      cookie: cookies.join("; "),
      "x-xsrf-token": decodeURIComponent(proof),
    },
    body: JSON.stringify({
      ...person,
      token,
      email: `${person.uname}@stammtisch.example`,
      password,
      password_confirmation: password,
    }),
  });
  if (answer.status !== 201) throw new Error(`${person.uname} could not register: ${await answer.text()}`);
}

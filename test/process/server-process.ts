import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { type Database, openDatabase } from "#server/db/connect.ts";
import { Client } from "#test/client.ts";
import { runInProcess } from "#test/command-line.ts";
import { createDatabase, dropDatabase } from "#test/database.ts";
import { freePort } from "#test/free-port.ts";

/** The exit of a process, and `ms`, the milliseconds until the exit. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ms: number;
}

/** The real `bin/stammtisch serve` as a child process, with its own data directory or database. */
export interface ServerProcess {
  readonly port: number;
  readonly dataDir: string;
  readonly database: DatabaseKind;
  /** The operator's environment variables; changes apply from the next start on. */
  readonly env: Record<string, string>;
  /** The output of the server since its last start. */
  readonly output: { readonly out: string; readonly errors: string };
  readonly pid: number;
  /** Starts the server, and resolves to the milliseconds until the server answered. */
  start(): Promise<number>;
  /** Sends a signal without waiting for its effect; `exited()` waits for the end of the server. */
  signal(name: NodeJS.Signals): void;
  /** Resolves to the exit of the running server process once the process has ended. */
  exited(): Promise<ProcessExit>;
  /** Kills the server with SIGKILL, and resolves once the process has ended. */
  kill(): Promise<void>;
  /** Runs another command of the same installation, also while the server runs. */
  run(...words: string[]): Promise<CommandResult>;
  /**
   * Runs a command that must succeed, and returns the parsed output of `--json`. If possible, the
   * command runs in the test's process, which takes a tenth of the time.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of the output
  call(...words: string[]): Promise<any>;
  createClient(headers?: Record<string, string>): Client;
  /** Opens the server's database for tests that read or write it directly. */
  openDatabase(): Database;
  /** Registers members with an invitation, and logs each of them in with a remembered session. */
  createMembers(...unames: string[]): Promise<Client[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
  /** The parsed output of `--json`; throws if the output is not one JSON document. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of the output
  readonly json: any;
}

export type DatabaseKind = "sqlite" | "postgres";

export interface ServerProcessOptions {
  readonly database?: DatabaseKind;
  /**
   * The server whose data this server shares. Only that server deletes the data when it is
   * disposed.
   */
  readonly sharedWith?: ServerProcess;
  readonly env?: Record<string, string>;
  /** A program and arguments that start the server, e.g. `["strace", "-f"]`. */
  readonly wrapper?: readonly string[];
  /** Folder of the installation; by default this repository. */
  readonly home?: string;
}

/** The fields of the registration form. */
export interface Registration {
  readonly uname: string;
  readonly name: string;
  readonly password: string;
}

/** The password of every test member. */
export const password = "Zapfhahn-im-Keller-3";

const ownHome = join(import.meta.dirname, "../..");
/** Timeout of a start in milliseconds, long enough for a machine under load. */
const startTimeoutMs = 60_000;

/**
 * Running servers. They are killed when the tests' process exits, in case a test does not end its
 * server.
 */
const children = new Set<ChildProcess>();
process.once("exit", () => children.forEach((child) => child.kill("SIGKILL")));

/** Creates an empty installation and starts its server. */
export async function startServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const server = await createServerProcess(options);
  await server.start();
  return server;
}

/**
 * Starts two instances with one PostgreSQL database, the same data directory and the same public
 * address. Disposing the result ends both.
 */
export async function startTwoInstances(env: Record<string, string> = {}) {
  const one = await createServerProcess({ database: "postgres", env });
  one.env["APP_URL"] = `http://localhost:${one.port}`;
  const other = await createServerProcess({ sharedWith: one, env: { ...env, APP_URL: one.env["APP_URL"] } });
  await Promise.all([one.start(), other.start()]);
  async function close(): Promise<void> {
    await other[Symbol.asyncDispose]();
    await one[Symbol.asyncDispose]();
  }
  return { one, other, [Symbol.asyncDispose]: close };
}

/** Creates an empty installation without starting it. */
export async function createServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const { sharedWith, database = sharedWith?.database ?? "sqlite", wrapper = [], home = ownHome } = options;
  const executable = join(home, "bin/stammtisch");
  const dataDir = sharedWith?.dataDir ?? mkdtempSync(join(tmpdir(), "stammtisch-"));
  const databaseUrl = sharedWith?.env["DATABASE_URL"] ?? (database === "postgres" ? await createDatabase() : undefined);
  const port = await freePort();
  const env: Record<string, string> = {
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: "warn",
    RATE_LIMIT_FACTOR: "1000",
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...options.env,
  };
  const written = { out: "", errors: "" };
  let running: { child: ChildProcess; ended: Promise<ProcessExit> } | null = null;

  async function start(): Promise<number> {
    const began = performance.now();
    const [program, words] =
      wrapper.length > 0 ? [wrapper[0]!, [...wrapper.slice(1), executable, "serve"]] : [executable, ["serve"]];
    const child = spawn(program, words, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    child.once("exit", () => children.delete(child));
    written.out = written.errors = "";
    child.stdout.on("data", (chunk: Buffer) => (written.out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (written.errors = (written.errors + chunk.toString()).slice(-100_000)));
    running = { child, ended: waitForExit(child) };
    while (!(await isReady(port))) {
      if (child.exitCode !== null || performance.now() - began > startTimeoutMs) {
        throw new Error(`The server did not start (exit ${child.exitCode}): ${written.out}${written.errors}`);
      }
      await sleep(10);
    }
    return performance.now() - began;
  }

  const server: ServerProcess = {
    port,
    dataDir,
    database,
    env,
    output: written,
    get pid() {
      return running!.child.pid!;
    },
    start,
    signal: (name) => void running!.child.kill(name),
    exited: async () => running!.ended,
    async kill() {
      running?.child.kill("SIGKILL");
      await running?.ended;
    },
    run: async (...words) => runCommand(words, env, executable),
    createClient: (headers = {}) => new Client(`http://127.0.0.1:${port}`, { host: `localhost:${port}`, ...headers }),
    async call(...words) {
      // Commands of another installation, or with a fake clock, need a separate process.
      const isAlike = home === ownHome && env["LD_PRELOAD"] === undefined;
      const line = [...words, "--json"];
      const { code, ...texts } = await (isAlike ? runInProcess(line, env) : server.run(...line));
      const printed = "printed" in texts ? texts.printed : texts.out + texts.errors;
      if (code !== 0) throw new Error(`${words.join(" ")}: ${code} ${printed}`);
      return JSON.parse(printed);
    },
    openDatabase: () => openDatabase({ dataDir, databaseUrl: databaseUrl ?? null }),
    async createMembers(...unames) {
      const { token } = await server.call("invite", "create", "--uses", String(unames.length));
      const members: Client[] = [];
      for (const uname of unames) members.push(await registerMember(server, uname, token));
      return members;
    },
    async [Symbol.asyncDispose]() {
      await server.kill();
      if (sharedWith) return;
      rmSync(dataDir, { recursive: true, force: true });
      if (databaseUrl) await dropDatabase(databaseUrl);
    },
  };
  return server;
}

/** Returns the token of the invitation that the first start created. */
export function firstInvitation({ dataDir }: ServerProcess): string {
  const url = readFileSync(join(dataDir, "first-invitation.txt"), "utf8").trim();
  return url.split("#token=")[1]!;
}

/**
 * Registers a member with the mail address `uname@stammtisch.example`. Returns the client that sent
 * the form, without logging it in.
 */
export async function register(server: ServerProcess, token: string, person: Registration): Promise<Client> {
  const client = server.createClient();
  const email = `${person.uname}@stammtisch.example`;
  const form = { ...person, token, email, password_confirmation: person.password };
  const { status, text } = await client.post("/api/register", form);
  if (status !== 201) throw new Error(`${person.uname} could not register: ${text}`);
  return client;
}

export async function registerMember(
  server: ServerProcess,
  uname: string,
  token: string,
  name = uname,
): Promise<Client> {
  const client = await register(server, token, { uname, name, password });
  const answer = await client.post("/api/login", { uname, password, rememberUser: true });
  if (answer.status !== 200) throw new Error(`${uname} could not log in: ${answer.text}`);
  return client;
}

/** Creates a member who may see, start and stop game servers. */
export async function createPlayer(server: ServerProcess, uname: string): Promise<Client> {
  const [player] = await server.createMembers(uname);
  await server.call("user", "grant", uname, "see-game-servers", "toggle-game-servers");
  return player!;
}

/** Returns those of the keys for which the server has booked no beer. */
export async function listLostKeys(server: ServerProcess, keys: readonly string[]): Promise<string[]> {
  const booked = new Set(await listBookedKeys(server));
  return keys.filter((key) => !booked.has(key));
}

/** Returns the keys of all beers, in the order of the export. */
export async function listBookedKeys(server: ServerProcess): Promise<string[]> {
  const beers: { key: string }[] = await server.call("beers", "export");
  return beers.map(({ key }) => key);
}

/** Runs a command in a child process, and resolves once the process has exited. */
export async function runCommand(
  words: readonly string[],
  env: Record<string, string>,
  executable = join(ownHome, "bin/stammtisch"),
): Promise<CommandResult> {
  const child = spawn(executable, words, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const { code } = await waitForExit(child);
  return {
    code: code ?? -1,
    out,
    errors,
    get json() {
      return JSON.parse(out);
    },
  };
}

function waitForExit(child: ChildProcess): Promise<ProcessExit> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ms: performance.now() - began }));
  });
}

async function isReady(port: number): Promise<boolean> {
  const probe = new Client(`http://127.0.0.1:${port}`, {});
  const answer = await probe.get("/healthz", { connection: "close" }).catch(() => null);
  return answer?.status === 200;
}

// Runs the documented command lines of hosting.md and operating.md in a temporary folder that
// replaces /opt, /etc, /usr/local and /var/lib. The function `systemctl` below imitates systemd by
// following the unit files.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { parseEnvironmentFile } from "#server/config-file.ts";
import { Client } from "#test/client.ts";
import { listDocumentedCommands, setUp } from "#test/documented-commands.ts";
import { freePort } from "#test/free-port.ts";

const repository = join(import.meta.dirname, "../..");
const password = "Zapfhahn-im-Keller-3";
const counters = "/api/beercounter/counters";
const nobody = 65_534;

let machine: string;
let program: string;
let data: string;
let port: number;
let server: ChildProcess | undefined;
/**
 * The user that replaces the unit's user `stammtisch`; `undefined` if this test does not run as
 * root or other users cannot read the repository.
 */
let user: { uid: number; gid: number } | undefined;

beforeAll(async () => {
  machine = fs.mkdtempSync(join(tmpdir(), "machine-"));
  fs.chmodSync(machine, 0o755);
  program = join(machine, "opt/stammtisch");
  data = join(machine, "var/lib/stammtisch");
  port = await freePort();
  const other = { uid: nobody, gid: nobody };
  const mayRead = (path: string) => spawnSync("test", ["-r", path], other).status === 0;
  if (process.getuid?.() === 0 && [machine, join(repository, "server/cli.ts")].every(mayRead)) user = other;

  for (const name of ["etc/systemd/system", "usr/local/bin", "var/lib", "stubs"])
    fs.mkdirSync(join(machine, name), { recursive: true });
  for (const name of ["bin", "contract", "deploy", "dist", "package.json", "scripts", "server"])
    fs.cpSync(join(repository, name), join(program, name), { recursive: true });
  for (const name of ["node_modules", "runtime"]) fs.symlinkSync(join(repository, name), join(program, name));
  for (const entry of fs.readdirSync(join(program, "deploy"), { withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const file = join(program, "deploy", entry.name);
    fs.writeFileSync(file, moved(fs.readFileSync(file, "utf8")));
  }
  const stub = (name: string, line: string) =>
    fs.writeFileSync(join(machine, "stubs", name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  stub("sudo", 'exec env -i PATH="$PATH" "$@"');
  for (const name of ["git", "npm", "useradd"]) stub(name, "");
});

afterAll(async () => {
  await stopServer();
  fs.rmSync(machine, { recursive: true });
});

/** Replaces the system's paths and owner in a text by those of the test's temporary machine. */
function moved(text: string): string {
  const owner = user ? `-o ${user.uid} -g ${user.gid}` : "";
  return text
    .replaceAll(/\/(opt|etc|usr\/local|var\/lib)\//g, `${machine}$&`)
    .replaceAll("-o stammtisch -g stammtisch", owner);
}

/** Returns the commands of the app that a file in docs/ mentions with all their arguments. */
function mentioned(page: string): string[] {
  const text = fs.readFileSync(join(repository, "docs", page), "utf8");
  const commands = [...text.matchAll(/`(?:bin\/|sudo )stammtisch ([a-z][^`A-Z]*)`/g)].map(([, words]) => words!);
  return commands.filter((words) => words !== "serve");
}

/**
 * Runs a command line in the program's folder, into which the documentation clones the repository.
 */
async function type(line: string): Promise<{ code: number | null; out: string; errors: string }> {
  const [, verb, units] = /^(?:sudo )?systemctl (enable --now|start|stop|status) (.+)$/.exec(line) ?? [];
  if (verb && units) {
    for (const unit of units.split(" ")) await systemctl(verb, unit);
    return { code: 0, out: "", errors: "" };
  }
  const PATH = [join(machine, "stubs"), join(machine, "usr/local/bin"), process.env["PATH"]].join(":");
  const { status, stdout, stderr } = spawnSync("sh", ["-c", moved(line)], {
    cwd: program,
    env: { PATH },
    encoding: "utf8",
  });
  return { code: status, out: stdout, errors: stderr };
}

/** Runs command lines that must all succeed, and returns their output. */
async function typeAll(lines: readonly string[]): Promise<string> {
  let printed = "";
  for (const line of lines) {
    const { code, out, errors } = await type(line);
    expect([line, code, errors]).toEqual([line, 0, ""]);
    printed += out;
  }
  return printed;
}

async function systemctl(verb: string, unit: string): Promise<void> {
  const text = fs.readFileSync(join(machine, "etc/systemd/system", unit), "utf8");
  if (!unit.endsWith(".service") || verb === "status") return;
  if (unit === "stammtisch.service") await stopServer();
  if (verb === "stop") return;
  const setting = (name: string): string => new RegExp(`^${name}=(.+)$`, "m").exec(text)?.[1] ?? "";
  expect(setting("User")).toBe("stammtisch");
  for (const name of setting("StateDirectory").split(" ")) {
    const folder = join(machine, "var/lib", name);
    if (fs.existsSync(folder)) continue;
    fs.mkdirSync(folder, { mode: Number.parseInt(setting("StateDirectoryMode"), 8) });
    if (user) fs.chownSync(folder, user.uid, user.gid);
  }
  const variables = parseEnvironmentFile(fs.readFileSync(setting("EnvironmentFile"), "utf8"));
  const command = setting("ExecStart").replaceAll("%%", "%").replaceAll("$$", "$");
  const options = { cwd: "/", env: { PATH: process.env["PATH"]!, ...variables }, ...user };
  if (unit === "stammtisch.service") return startServer(command, options);
  const { status, stderr } = spawnSync("sh", ["-c", command], { ...options, encoding: "utf8" });
  expect([unit, status, stderr]).toEqual([unit, 0, ""]);
}

async function startServer(command: string, options: { cwd: string; env: Record<string, string> }): Promise<void> {
  server = spawn("sh", ["-c", `exec ${command}`], { ...options, stdio: ["ignore", "ignore", "inherit"] });
  const answer = async () =>
    (
      await client()
        .get("/readyz")
        .catch(() => null)
    )?.status;
  await expect.poll(answer).toBe(200);
}

async function stopServer(): Promise<void> {
  if (!server || server.exitCode !== null) return;
  const ended = new Promise((resolve) => server!.once("exit", resolve));
  server.kill("SIGTERM");
  expect(await ended).toBe(0);
  server = undefined;
}

const client = () => new Client(`http://127.0.0.1:${port}`, { host: `localhost:${port}` });

async function logIn(): Promise<Client> {
  const anna = client();
  expect((await anna.post("/api/login", { uname: "anna", password })).status).toBe(200);
  return anna;
}

/** Returns every file below a folder, except the packages, which are symbolic links. */
function filesOf(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => !name.startsWith("node_modules/")).toSorted();
}

test(
  "the documented commands set up, back up and restore the app without losing data",
  { tags: "nightly", timeout: 600_000 },
  async () => {
    const before = filesOf(program);
    const start = setUp.findIndex((line) => line.includes("systemctl"));
    await typeAll(setUp.slice(0, start));
    expect(fs.statSync(join(machine, "etc/stammtisch.env")).mode & 0o777).toBe(0o600);
    // The test machine has no proxy in front of the app.
    const near = [`PORT=${port}`, `APP_URL=http://localhost:${port}`, "TRUST_PROXY=", "RATE_LIMIT_FACTOR=1000"];
    fs.appendFileSync(join(machine, "etc/stammtisch.env"), [...near, "LOG_LEVEL=warn", ""].join("\n"));
    await typeAll(setUp.slice(start, start + 1));
    await expect.poll(() => fs.existsSync(join(data, "first-invitation.txt"))).toBe(true);
    const link = await typeAll(setUp.slice(start + 1));

    const form = { uname: "anna", name: "Anna", email: "anna@stammtisch.example" };
    const [, token] = /token=([\w-]+)/.exec(link)!;
    const registration = { ...form, token, password, password_confirmation: password };
    expect((await client().post("/api/register", registration)).status).toBe(201);
    expect((await (await logIn()).post(counters)).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });

    // This command does not read the service's settings, so it must fail instead of saving an empty
    // database.
    const astray = await type("sudo /opt/stammtisch/bin/stammtisch backup /var/lib/astray.backup");
    expect([astray.code, astray.out]).toEqual([1, ""]);
    expect(astray.errors).toMatch(/^There is no database of Stammtisch in \S+\/opt\/stammtisch\/data\. [^\n]+\n$/);

    const lines = listDocumentedCommands("operating.md", "Backup and restore").filter(
      (line) => !line.includes("docker"),
    );
    const restore = lines.findIndex((line) => line.includes("systemctl stop"));
    await typeAll(lines.slice(0, restore));
    expect(fs.statSync(join(machine, "var/lib/stammtisch-backup/07.backup")).mode & 0o777).toBe(0o600);

    const commands = new Set(["hosting.md", "operating.md", "troubleshooting.md", "proxy.md"].flatMap(mentioned));
    for (const words of ["doctor", "user reset-link anna", "user grant anna admin", "invite create --permission admin"])
      expect(commands).toContain(words);
    const printed = await typeAll([...commands, "user list"].map((words) => `sudo stammtisch ${words}`));
    expect(printed).toMatch(/^✓ database: SQLite, intact, readable and writable, in use by the server$/m);
    expect(printed).toMatch(/^anna\tAnna\t1\t.+,admin$/m);

    const restored = await typeAll(lines.slice(restore));
    expect(restored.match(/bytes, 1 beer, 1 user$/gm)).toHaveLength(1);
    expect((await (await logIn()).get(counters)).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
    expect(filesOf(join(machine, "var/lib/stammtisch.old"))).toContain("stammtisch.db");
    for (const folder of [data, `${data}.old`, `${data}-backup`]) {
      const strangers = filesOf(folder).filter((file) => fs.statSync(join(folder, file)).uid !== owner());
      expect(strangers, folder).toEqual([]);
    }
    expect(filesOf(program)).toEqual(before);
  },
);

const owner = (): number => user?.uid ?? process.getuid!();

// Runs both Compose files with the documented command lines. One has Caddy, two instances and
// PostgreSQL; the other has a single instance and SQLite.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { image, startDockerEngine, type DockerEngine } from "../../scripts/docker-engine.ts";
import { fillTemplates } from "../../scripts/release-files.ts";
import {
  busybox,
  docker,
  ensureInstalled,
  findProgram,
  iptables,
  postgres,
  requireProgram,
} from "../../scripts/system-programs.ts";
import { buildStammtisch, importCaddy, importPostgres } from "./images.ts";

const root = join(import.meta.dirname, "../..");
const ourUser = 1000;
const otherUser = 1234;
const password = "kellerbier-dreimal-77";
const counters = "/api/beercounter/counters";

let engine: DockerEngine;
let home: string;
let folder: string;
const cookies = new Map<string, string>();

beforeAll(async () => {
  await letContainersTalk("-I");
  engine = await startDockerEngine(requireProgram(docker), requireProgram(busybox));
  expect(await buildStammtisch(engine)).toContain("Successfully tagged stammtisch:latest");
  await importCaddy(engine);
  await importPostgres(engine, dirname(findProgram(postgres)!));
  home = createTemporaryFolder();
  folder = join(home, "stammtisch");
  for (const path of ["deploy", "compose.yaml"]) cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of ["deploy/compose.postgres.yaml", "compose.yaml"])
    writeFileSync(join(folder, path), withoutName(readFileSync(join(root, path), "utf8")));
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/docker"), dockerCompose, { mode: 0o755 });
  writeFileSync(join(home, "bin/sudo"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
});
afterAll(async () => {
  if (cookies.size > 0) compose("down", "--volumes");
  await engine?.stop();
  await letContainersTalk("-D");
});

/**
 * Allows or forbids forwarding between containers: a Docker Engine of this machine may have set up
 * a firewall that drops packets between the containers of other engines.
 */
async function letContainersTalk(change: "-I" | "-D"): Promise<void> {
  const filter = await ensureInstalled(iptables);
  if (!filter) throw new Error("iptables is missing");
  execFileSync(filter, ["-w", change, "FORWARD", "-i", "br-+", "-j", "ACCEPT"]);
}

/**
 * A script that imitates `docker compose` with Debian's docker-compose, which does not know --wait
 * and needs -T without a terminal. The script removes itself from PATH, because docker-compose
 * calls the real docker.
 */
const dockerCompose = `#!/bin/sh
shift
PATH="\${PATH#*:}"
file=
[ "$1" = -f ] && file="-f $2" && shift 2
for word do shift; [ "$word" = --build ] || [ "$word" = --wait ] || set -- "$@" "$word"; done
case $1 in
  up) docker-compose $file "$@" --no-build || exit
    until docker-compose $file logs | grep -q '"listening"'; do sleep 1; done ;;
  run) shift; exec docker-compose $file run -T "$@" ;;
  *) exec docker-compose $file "$@" ;;
esac
`;

/** Debian's docker-compose does not know the project name, and takes that of the folder. */
function withoutName(text: string): string {
  return text.replace(/^name: .+$/m, "");
}

/** Returns the code blocks of a documentation page in a language, without the line that clones the repository. */
function examplesOf(page: string, shown = ""): string[] {
  const text = readFileSync(join(root, "docs", page), "utf8");
  const blocks = [...text.matchAll(/^```(\w*)\n(.+?)^```$/gms)].filter(([, language]) => language === shown);
  return blocks.map(([, , lines]) => lines!.replace(/^git clone.+\n/, ""));
}

/** Runs command lines as an operator types them, by default in the program's folder, and returns their output. */
function type(lines: string, cwd = folder): string {
  const path = `${join(home, "bin")}:${process.env["PATH"]}`;
  const env = { ...process.env, HOME: home, PATH: path, DOCKER_HOST: engine.url };
  return execFileSync("sh", ["-ec", lines], { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function compose(...words: string[]): string {
  return execFileSync("docker-compose", ["-f", "compose.postgres.yaml", ...words], {
    cwd: join(folder, "deploy"),
    env: { ...process.env, DOCKER_HOST: engine.url },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/**
 * Sends a request through Caddy, with the cookies of earlier answers; resolves to `null` if Caddy
 * does not answer.
 */
function ask(method: string, path: string, body?: object, key?: string) {
  const token = cookies.get("XSRF-TOKEN");
  const headers = {
    cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
    ...(token && { "x-xsrf-token": decodeURIComponent(token) }),
    ...(body && { "content-type": "application/json" }),
    ...(key && { "idempotency-key": key }),
  };
  return new Promise<{ status: number; json: unknown } | null>((resolve) => {
    // Accepts any certificate: Caddy's own authority, which issues the certificate, exists only
    // inside its container.
    const options = { host: "127.0.0.1", servername: "localhost", path, method, rejectUnauthorized: false };
    const sent = request({ ...options, headers: { host: "localhost", ...headers } }, (response) => {
      let text = "";
      for (const cookie of response.headers["set-cookie"] ?? []) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        cookies.set(name!, value!);
      }
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, json: text === "" ? null : JSON.parse(text) }),
      );
    });
    sent.on("error", () => resolve(null));
    sent.end(body && JSON.stringify(body));
  });
}

async function until(path: string): Promise<void> {
  for (let attempt = 0; (await ask("GET", path))?.status !== 200; attempt += 1) {
    if (attempt > 300) throw new Error(compose("logs", "--tail=20"));
    await sleep(500);
  }
}

test("two instances behind Caddy count every beer once while one is killed and the other restarted", async () => {
  // Settings for the program without a container, which must not move its port, and one of Compose.
  const others = "HOST=127.0.0.1\nPORT=80\nDATA_DIR=/nowhere\nSTAMMTISCH_IMAGE=stammtisch:latest";
  const settings = `'SITE=localhost\nGROUP_NAME=Skatrunde\n${others}'`;
  const printed = type(examplesOf("hosting.md")[1]!.replace("'SITE=stammtisch.example'", settings));
  await until("/readyz");
  expect((await ask("GET", "/api/config"))?.json).toMatchObject({ group_name: "Skatrunde" });
  const [, token] = /register#token=([\w-]+)/.exec(printed)!;
  await ask("GET", "/sanctum/csrf-cookie");
  const anna = { uname: "anna", name: "Anna", email: "anna@stammtisch.example", password };
  expect((await ask("POST", "/api/register", { ...anna, password_confirmation: password, token }))?.status).toBe(201);
  expect((await ask("POST", "/api/login", { uname: "anna", password, rememberUser: true }))?.status).toBe(200);

  /** Taps with each of these keys until the beer is booked. */
  async function drink(names: readonly string[]): Promise<void> {
    for (const name of names) {
      while ((await ask("POST", counters, undefined, name))?.status !== 200) await sleep(200);
      await sleep(50);
    }
  }
  const beers = (from: number) => Array.from({ length: 40 }, (_, index) => `beer-number-${from + index}`);
  await drink(beers(0));
  await Promise.all([drink(beers(40)), kill("app-1")]);
  expect((await ask("GET", counters))?.json).toEqual({ KSKCounterVal: 80, userCounterVal: 80 });
  compose("up", "-d", "--no-build", "app-1");
  await untilHealthy("app-1");
  compose("restart", "app-2");
  await drink(beers(80));
  expect((await ask("GET", counters))?.json).toEqual({ KSKCounterVal: 120, userCounterVal: 120 });
});

async function kill(service: string): Promise<void> {
  await sleep(500);
  compose("kill", service);
}

async function untilHealthy(service: string): Promise<void> {
  const id = compose("ps", "-q", service).trim();
  const health = async () =>
    JSON.parse((await engine.request("GET", `/containers/${id}/json`)).text).State.Health?.Status;
  for (let attempt = 0; (await health()) !== "healthy"; attempt += 1) {
    if (attempt > 300) throw new Error(compose("logs", "--tail=20", service));
    await sleep(500);
  }
}

test("a backup is stored beside the Compose file, and only the file's owner can read it", () => {
  const told = compose("exec", "-T", "app-1", "stammtisch", "backup", "/backup/07.backup");
  expect(told).toMatch(/^\/backup\/07\.backup: \d+ bytes, 120 beers, 1 user$/m);
  const { mode, uid } = statSync(join(folder, "deploy/backup/07.backup"));
  expect([mode & 0o777, uid]).toEqual([0o600, ourUser]);
});

test("the app's role in PostgreSQL is no superuser, and the superuser has no password", () => {
  const query = "select rolname, rolsuper, rolpassword is null from pg_authid where rolcanlogin order by 1";
  const roles = compose("exec", "-T", "postgres", "psql", "--username=postgres", "-Atc", query);
  expect(roles.trim().split("\n")).toEqual(["postgres|t|t", "stammtisch|f|f"]);
});

test("no container's configuration contains the password of PostgreSQL", async () => {
  const secret = readFileSync(join(folder, "deploy/postgres-password"), "utf8");
  const { text } = await engine.request("GET", "/containers/json?all=true");
  for (const { Id } of JSON.parse(text) as { Id: string }[])
    expect((await engine.request("GET", `/containers/${Id}/json`)).text).not.toContain(secret);
});

/** The test runs as root, the operator as another user. */
function asOtherUser(lines: string): string {
  writeFileSync(join(home, "bin/id"), `#!/bin/sh\necho ${otherUser}\n`, { mode: 0o755 });
  return lines.replace("mkdir backup", `mkdir backup && chown ${otherUser} backup`);
}

test("the documented commands for SQLite start the app, back its data up and restore the backup", () => {
  const [start] = examplesOf("hosting.md");
  const examples = examplesOf("operating.md");
  const backup = examples.find((lines) => lines.includes("docker compose exec -T app stammtisch backup verify"));
  const restore = examples.find((lines) => lines.includes("docker compose run --rm app restore"));
  expect(type(asOtherUser(start!))).toMatch(/register#token=[\w-]+/);
  type("docker compose exec -T app stammtisch demo");
  const told = type(backup!);
  const [, beers] = /^\/backup\/07\.backup: \d+ bytes, (\d+) beers, 8 users, can be restored$/m.exec(told)!;
  expect(type(restore!)).toContain(`${beers} beers, 8 users`);
  expect(JSON.parse(type("docker compose exec -T app stammtisch user list --json"))).toHaveLength(8);
});

test("the documented commands start the app from the files of a release alone, behind a trusted proxy of Docker", () => {
  const files = fillTemplates({ version: "1.2.3", repository: "https://git.example/a", image: "git.example/a" });
  const alone = join(home, "release");
  mkdirSync(alone);
  writeFileSync(join(alone, "compose.yaml"), withoutName(files["compose.yaml"]!));
  // The image of this clone instead of the published one, beside the app of the test above.
  writeFileSync(
    join(alone, "env.example"),
    `${files["env.example"]}STAMMTISCH_IMAGE=stammtisch:latest\nHOST_PORT=3017\n`,
  );
  type("sha256sum compose.yaml env.example > SHA256SUMS", alone);
  const [start] = examplesOf("hosting.md", "sh");
  expect(type(asOtherUser(start!), alone)).toMatch(/https:\/\/stammtisch\.example\/register#token=[\w-]+/);
  type("docker compose exec -T app stammtisch demo", alone);
  type("docker compose exec -T app stammtisch backup /backup/07.backup", alone);
  expect(statSync(join(alone, "backup/07.backup")).uid).toBe(otherUser);
  const { checks } = JSON.parse(type("docker compose exec -T app stammtisch doctor --json || true", alone)) as {
    checks: { name: string; detail: string }[];
  };
  const about = (name: string) => checks.find((check) => check.name === name)?.detail;
  expect(about("configuration")).toMatch(/ TRUST_PROXY=172\.\d+\.0\.0\/16 /);
  expect(about("permissions")).toBe("only this user can read /data");
  expect(about("backups")).toMatch(/^daily in \/backup; /);
  type("docker compose down --volumes", alone);
});

test("the documented commands for game servers let the app see only the containers listed in the filter", async () => {
  const socket = engine.url.replace("unix://", "");
  const file = join(folder, "compose.yaml");
  // Replaces the documented socket path, because the engine of this test listens on another socket.
  writeFileSync(file, readFileSync(file, "utf8").replace("- /var/run/docker.sock:", `- ${socket}:`));
  const game = { Image: image, Cmd: ["sleep", "1000"], HostConfig: { NetworkMode: "none" } };
  for (const name of ["minecraft", "secret"]) await engine.request("POST", `/containers/create?name=${name}`, game);
  type(examplesOf("hosting.md")[3]!.replace("/var/run/docker.sock", socket));
  const run = (command: string) => type(`docker compose exec -T app stammtisch game-server ${command}`);
  await expect.poll(() => run("add Minecraft --docker minecraft --json")).toContain("Minecraft");
  const servers = JSON.parse(run("list --json")) as { display_name: string; state: unknown }[];
  expect(servers.at(-1)).toMatchObject({ display_name: "Minecraft", state: { Status: "created" } });
  expect(() => run("add Secret --docker secret")).toThrow("has no container");
  type("docker compose --profile game-servers down --volumes");
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { createTarget, startTarget, stopTarget, watchTargets } from "#test/driver-watch.ts";
import { createCommandDriver } from "./command.ts";
import { type Driver, EngineRefusedError, type Target } from "./driver.ts";

const driverFile = join(import.meta.dirname, "command.ts");
let folder: string;
let driver: Driver;
/** Games that the test may have started; afterEach stops them. */
let games: Target[];

beforeEach(() => {
  folder = createTemporaryFolder();
  driver = createCommandDriver({ dataDir: folder });
  games = [];
});
afterEach(async () => {
  for (const game of games) await stopTarget(driver, { ...game, graceSeconds: 0 });
});

test("the command driver starts and stops a game, and a second start or stop changes nothing", async () => {
  const game = command([program(`sleep 600 & trap 'kill $!; exit 0' TERM; touch "$1/up"; wait`), folder]);
  expect(await driver.inspect(game)).toMatchObject({ isAlive: false, status: "created", exitCode: null });
  await startTarget(driver, game);
  const running = await driver.inspect(game);
  expect(running).toMatchObject({ isAlive: true, status: "running", exitCode: null });
  await startTarget(driver, game);
  expect(await driver.inspect(game)).toEqual(running);

  await expect.poll(() => existsSync(join(folder, "up"))).toBe(true);
  await stopTarget(driver, game);
  await expect.poll(() => driver.inspect(game)).toMatchObject({ isAlive: false, status: "exited", exitCode: 0 });
  await stopTarget(driver, game);
});

test("the command driver stops a game with the game's configured signal", async () => {
  const script = "trap 'exit 7' INT; trap '' TERM; touch up; while :; do sleep 0.05; done";
  const game = command([program(script)], 0, "SIGINT");
  await startTarget(driver, game);
  await expect.poll(() => existsSync(join(folder, "up"))).toBe(true);
  await stopTarget(driver, game);
  await expect.poll(() => driver.inspect(game)).toMatchObject({ status: "exited", exitCode: 7 });
});

test("a game of the command driver does not receive the app's environment variables", async () => {
  process.env["DATABASE_URL"] = "postgres://anna:s3cret@db/stammtisch";
  const game = command([program('env > "$1/env"; sleep 600'), folder]);
  await startTarget(driver, game);
  delete process.env["DATABASE_URL"];
  await expect.poll(() => read("env")).toContain("PWD=");
  const names = read("env")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("=")[0]);
  expect(names.toSorted()).toEqual(["GAME_SERVER_RUN", "HOME", "LANG", "PATH", "PWD"]);
});

test("a game outlives the app that started the game, and a restarted app can stop and start the game", async () => {
  const game = command([program("exec sleep 600")]);
  const app = `
    const { createCommandDriver } = await import(${JSON.stringify(driverFile)});
    await createCommandDriver({ dataDir: ${JSON.stringify(folder)} }).start(${JSON.stringify(game)});
    process.kill(process.pid, "SIGKILL");`;
  const [, signal] = await once(spawn(process.execPath, ["--input-type=module", "-e", app]), "exit");
  expect(signal).toBe("SIGKILL");

  const found = await driver.inspect(game);
  expect(found).toMatchObject({ isAlive: true, status: "running" });
  await startTarget(driver, game);
  expect(await driver.inspect(game)).toEqual(found);
  await stopTarget(driver, game);
  expect(await driver.inspect(game)).toMatchObject({ isAlive: false, status: "exited", exitCode: null });
  await startTarget(driver, game);
  expect(await driver.inspect(game)).toMatchObject({ isAlive: true });
});

test("a restarted app finds a game whose start was interrupted by the death of the app", async () => {
  const game = command([program("exec sleep 600")]);
  await startTarget(driver, game);
  const pid = storedRun(game).process.pid;
  storeRun(game, { process: null });

  const next = createCommandDriver({ dataDir: folder });
  // `inspect` recognizes the program by its environment in /proc. Polls, because /proc shows none while the new program
  // replaces the shell.
  await expect.poll(() => next.inspect(game)).toMatchObject({ isAlive: true });
  await startTarget(next, game);
  expect(storedRun(game).process).toBeNull();
  await stopTarget(next, game);
  // Until this process has collected the exit status, the pid belongs to a zombie.
  await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
});

test("a process that reuses the process id of an ended game is not taken for the game or stopped", async () => {
  const game = command([program("exit 0")]);
  await startTarget(driver, game);
  await expect.poll(() => driver.inspect(game)).toMatchObject({ isAlive: false });
  const other = spawn("sleep", ["600"], { detached: true });
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  storeRun(game, { process: { pid: other.pid, startTime: "123456", boot } });

  const next = createCommandDriver({ dataDir: folder });
  expect(await next.inspect(game)).toMatchObject({ isAlive: false });
  await stopTarget(next, game);
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill();
});

test("a game that ignores the stop signal is killed with all its child processes after the grace period", async () => {
  const game = {
    ...command([program("trap '' TERM; sleep 601 & echo $! > pid; while :; do sleep 1; done")]),
    graceSeconds: 0.1,
  };
  await startTarget(driver, game);
  await expect.poll(() => read("pid")).toMatch(/\d+\n/);
  await stopTarget(driver, game);
  await expect.poll(() => driver.inspect(game)).toMatchObject({ isAlive: false, status: "exited", exitCode: 137 });
  await expect.poll(() => commandLine(game, Number(read("pid")))).toBe("");
});

test("a stopped game gets its grace period even if only a child process of the game's shell is still saving", async () => {
  const saving = "while [ ! -e ended ]; do sleep 0.05; done; echo saved > world; exit";
  const save = `sh -c 'trap "${saving}" TERM; touch up; while :; do sleep 0.05; done'`;
  const game = command([program(`${save} &\nwhile [ ! -e up ]; do sleep 0.05; done; trap - TERM; wait`)]);
  await startTarget(driver, game);
  await expect.poll(() => read("up", "not yet")).toBe("");
  const stopped = stopTarget(driver, game);
  await expect.poll(() => storedRun(game).exitCode).toBe(143);
  expect(await driver.inspect(game)).toMatchObject({ isAlive: true });
  writeFileSync(join(folder, "ended"), "");
  await stopped;
  expect(read("world")).toBe("saved\n");
});

test("the command driver reports a crash, and the kill of a game that an earlier app started", async () => {
  const [anna, ben] = [
    command([program("while [ ! -e crash ]; do sleep 0.05; done; exit 3")]),
    command(["/bin/sleep", "600"], 1),
  ];
  await startTarget(driver, ben);
  const { changes, end } = watchTargets(createCommandDriver({ dataDir: folder }), [anna.ref, ben.ref]);
  await expect.poll(() => changes.splice(0)).toContainEqual([0, 1]);
  await startTarget(driver, anna);
  await expect.poll(() => changes.splice(0).flat(), { interval: 10 }).toContain(0);
  writeFileSync(join(folder, "crash"), "");
  await expect.poll(() => changes.splice(0).flat(), { interval: 10 }).toContain(0);
  expect(await driver.inspect(anna)).toMatchObject({ status: "exited", exitCode: 3 });
  process.kill(storedRun(ben).process.pid, "SIGKILL");
  await expect.poll(() => changes.splice(0).flat(), { interval: 10 }).toContain(1);
  await expect.poll(() => driver.inspect(ben)).toMatchObject({ status: "exited", exitCode: 137 });
  end();
});

test("the command driver reports the last line that an ended game has printed since the game's start", async () => {
  const game = command([program(`echo "loaded in \\033[32m3 s\\033[0m"; echo "$1" >&2; exit 1`), "bind: port in use"]);
  await startTarget(driver, game);
  await expect.poll(() => driver.inspect(game)).toMatchObject({ exitCode: 1, lastLine: "bind: port in use" });
  // An app that did not start the game does not know where the output of this run begins.
  expect(await createCommandDriver({ dataDir: folder }).inspect(game)).toMatchObject({ exitCode: 1, lastLine: null });
  program("exit 2");
  await startTarget(driver, game);
  await expect.poll(() => driver.inspect(game)).toMatchObject({ exitCode: 2, lastLine: null });
});

test("a game whose program or folder does not exist is reported as missing and cannot be started", async () => {
  writeFileSync(join(folder, "notes.txt"), "no program");
  const invalid = ["", "{}", "[]", '{"argv":[],"cwd":null,"stopSignal":null}', "x".repeat(9999)].map((ref) =>
    createTarget(ref),
  );
  const absent = [["no-such-program"], ["./notes.txt"], [folder], ["/etc/passwd"], ["a\0b"], [""]].map((argv) =>
    command(argv),
  );
  const elsewhere = createTarget(JSON.stringify({ argv: ["/bin/true"], cwd: "/nowhere", stopSignal: null }));
  for (const target of [...invalid, ...absent, elsewhere, command(["/bin/true"], 0, "SIGNOTHING")]) {
    expect(await driver.inspect(target), target.ref).toEqual({ kind: "missing" });
    await expect(startTarget(driver, target), target.ref).rejects.toBeInstanceOf(EngineRefusedError);
    await stopTarget(driver, target);
  }
});

test("the command driver limits the size of a game's output file and keeps the newest output", async () => {
  const game = command([program("yes abcdefg | head -c 3000000; echo the end; sleep 600")]);
  await startTarget(driver, game);
  await expect.poll(() => read("game-servers/0.log")).toContain("the end");
  const { end } = watchTargets(driver, [game.ref]);
  await expect.poll(() => statSync(join(folder, "game-servers/0.log")).size).toBe(262_144);
  expect(read("game-servers/0.log")).toMatch(/the end\n$/);
  end();
});

function command(argv: string[], id = 0, stopSignal: string | null = null): Target {
  const game = createTarget(JSON.stringify({ argv, cwd: folder, stopSignal }), id);
  games.push(game);
  return game;
}

/** Writes a shell script into the folder in which the games run. */
function program(script: string): string {
  const file = join(folder, "game.sh");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function read(name: string, otherwise = ""): string {
  try {
    return readFileSync(join(folder, name), "utf8");
  } catch {
    return otherwise;
  }
}

function storedRun(game: Target) {
  return JSON.parse(read(`game-servers/${game.id}.json`));
}

function storeRun(game: Target, changed: object): void {
  writeFileSync(join(folder, `game-servers/${game.id}.json`), JSON.stringify({ ...storedRun(game), ...changed }));
}

function commandLine(game: Target, pid = storedRun(game).process.pid): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

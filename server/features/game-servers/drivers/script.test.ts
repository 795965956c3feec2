import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, test, vi } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { createTarget, startTarget, stopTarget, watchTargets } from "#test/driver-watch.ts";
import { EngineRefusedError } from "./driver.ts";
import { createScriptDriver } from "./script.ts";

let folder: string;
beforeEach(() => void (folder = createTemporaryFolder()));

/** A game script with its state in a file. Its `status` exits with 3 if the game is stopped, as init scripts do. */
const gameScript = `cd "$(dirname "$0")"
case "$1" in
  start) touch on; sleep 600 & echo $! > pid ;;
  stop) rm -f on; kill $(cat pid); rm -f pid ;;
  status) [ -e on ] || exit 3 ;;
esac`;

test("the script driver starts and stops a game, and reports its status", async () => {
  const [driver, game] = [createScriptDriver({ dataDir: folder }), createTarget(script("gs", gameScript))];
  const { changes, end } = watchTargets(driver, [game.ref]);
  await expect.poll(() => changes.splice(0)).toEqual([[0]]);
  expect(await driver.inspect(game)).toMatchObject({ isAlive: false, status: "exited", exitCode: null });
  await startTarget(driver, game);
  expect(await driver.inspect(game)).toMatchObject({ isAlive: true, status: "running" });
  await stopTarget(driver, game);
  expect(await driver.inspect(game)).toMatchObject({ isAlive: false, status: "exited" });
  end();
});

test("the script driver starts a game even if the game's log cannot be written", async () => {
  writeFileSync(join(folder, "data"), "not a folder");
  const game = createTarget(script("gs", gameScript));
  await startTarget(createScriptDriver({ dataDir: join(folder, "data") }), game);
  expect(readFileSync(join(folder, "on"), "utf8")).toBe("");
  await stopTarget(createScriptDriver({ dataDir: folder }), game);
});

test("a script gets the action as its only argument, and no environment variables of the app", async () => {
  process.env["SMTP_URL"] = "smtp://anna:s3cret@mail";
  const game = createTarget(script("gs", 'env > "$(dirname "$0")/env"; echo "$@" > "$(dirname "$0")/words"'));
  await startTarget(createScriptDriver({ dataDir: folder }), game);
  delete process.env["SMTP_URL"];
  expect(readFileSync(join(folder, "env"), "utf8").match(/^\w+/gm)!.toSorted()).toEqual([
    "HOME",
    "LANG",
    "PATH",
    "PWD",
  ]);
  expect(readFileSync(join(folder, "words"), "utf8")).toBe("start\n");
});

test("a game server is unreachable if its script fails or knows no status, and missing without a script", async () => {
  const driver = createScriptDriver({ dataDir: folder });
  const observations = ["exit 1", "exit 4", "exit 255", "kill -9 $$"].map(async (text, index) =>
    driver.inspect(createTarget(script(`gs${index}`, text))),
  );
  expect(await Promise.all(observations)).toEqual(Array.from({ length: 4 }, () => ({ kind: "unreachable" })));

  writeFileSync(join(folder, "notes.txt"), "no program");
  for (const ref of ["gs", "./gs", "/nowhere/gs", folder, join(folder, "notes.txt"), "", "a\0b"]) {
    expect(await driver.inspect(createTarget(ref)), ref).toEqual({ kind: "missing" });
    await expect(startTarget(driver, createTarget(ref)), ref).rejects.toBeInstanceOf(EngineRefusedError);
    await expect(stopTarget(driver, createTarget(ref)), ref).rejects.toBeInstanceOf(EngineRefusedError);
  }
});

test("a game server is unreachable if its script does not tell the status within two seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const driver = createScriptDriver({ dataDir: folder });
  const observations = ["sleep 60", "yes"].map(async (text, index) =>
    driver.inspect(createTarget(script(`gs${index}`, text))),
  );
  vi.advanceTimersByTime(1999);
  expect(await Promise.all(observations)).toEqual(Array.from({ length: 2 }, () => ({ kind: "unreachable" })));
});

test("a start or stop whose script fails is refused, with the script's last line or exit code as the detail", async () => {
  const game = createTarget(script("gs", "exit 1"));
  const silent = await startTarget(createScriptDriver({ dataDir: folder }), game).catch((error: unknown) => error);
  expect(silent).toBeInstanceOf(EngineRefusedError);
  expect(silent).toMatchObject({ reason: "refused", detail: "Exit-Code 1" });
  const talking = createTarget(script("talking", 'echo "Starting"; echo "no such world" >&2; exit 2'));
  const refused = startTarget(createScriptDriver({ dataDir: folder }), talking);
  await expect(refused).rejects.toMatchObject({ reason: "refused", detail: "no such world" });
  await expect(stopTarget(createScriptDriver({ dataDir: folder }), game)).rejects.toBeInstanceOf(EngineRefusedError);
});

function script(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

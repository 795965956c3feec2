import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { CommandRefusedError, CommandUsageError } from "#server/platform/command.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { runCommandOn, runInProcess } from "#test/command-line.ts";
import { createFakeDriver } from "#test/fake-driver.ts";
import { createFakeEngine } from "#test/fake-engine.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";
import { splitCommandLine } from "./rules.ts";
import { deactivatePrograms } from "./store.ts";

const engine = await createFakeEngine();
engine.create("keller");
// Runs the app without drivers, so that no supervisor runs.
const app = await createTestApp({ ENGINE_URL: engine.url }, { gameServers: { drivers: {} } });
const folder = createTemporaryFolder();
writeFileSync(join(folder, "server.sh"), "#!/bin/sh\nexit 3\n");
writeFileSync(join(folder, "notes.txt"), "no program");
chmodSync(join(folder, "server.sh"), 0o700);

const run = (name: string, args: readonly string[], options: Record<string, string> = {}) =>
  runCommandOn(app, commands, `game-server ${name}`, args, options);

const add = (options: Record<string, string>, name = "Keller") => run("add", [name], options);

test("the game-server commands add, list and remove containers, scripts and programs", async () => {
  const script = join(folder, "server.sh");
  const added = [
    await add({ docker: "keller", address: "spiele.example:27015", query: "source", "idle-stop": "30", grace: "90" }),
    await add({ script }, "Skript"),
    await add({ command: `./server.sh --name 'Der Keller'`, cwd: folder, "stop-signal": "SIGINT" }, "Programm"),
  ];
  const rows = await app.db.selectFrom("game_servers").selectAll().orderBy("id").execute();
  expect(rows.map(({ driver, ref }) => [driver, ref])).toEqual([
    ["docker", "keller"],
    ["script", script],
    ["command", JSON.stringify({ argv: ["./server.sh", "--name", "Der Keller"], cwd: folder, stopSignal: "SIGINT" })],
  ]);
  const settings = { address: "spiele.example:27015", query: "source", idle_stop_minutes: 30, grace_seconds: 90 };
  expect(rows[0]).toMatchObject(settings);
  await engine.runOutside("start", "keller");
  const { json } = await run("list", []);
  expect(json).toEqual([
    { id: rows[0]!.id, display_name: "Keller", driver: "docker", state: { Status: "running", Running: true } },
    { id: rows[1]!.id, display_name: "Skript", driver: "script", state: { Status: "exited", Running: false } },
    { id: rows[2]!.id, display_name: "Programm", driver: "command", state: { Status: "created", Running: false } },
  ]);
  for (const [index, { json: answer }] of added.entries()) {
    expect(answer).toEqual({ id: rows[index]!.id, display_name: rows[index]!.display_name });
    expect((await run("remove", [String(rows[index]!.id)])).json).toEqual({ id: rows[index]!.id });
  }
  expect((await run("list", [])).json).toEqual([]);
});

test("game-server list runs the script of an inactive server only after game-server enable", async () => {
  const [script, marker] = [join(folder, "marking.sh"), join(folder, "was-called")];
  writeFileSync(script, `#!/bin/sh\ntouch ${marker}\nexit 3\n`, { mode: 0o700 });
  const { json } = await add({ script }, "Skript");
  const { id } = json as { id: number };
  await deactivatePrograms(app.db);
  rmSync(marker);
  const listed = await run("list", []);
  expect(listed.json).toEqual([{ id, display_name: "Skript", driver: "script", state: null, is_inactive: true }]);
  expect(listed.text).toBe(`${id}\tSkript\tscript\tinactive: stammtisch game-server enable ${id}`);
  expect(existsSync(marker)).toBe(false);

  await expect(run("enable", ["Keller"])).rejects.toThrow("There is no game server Keller.");
  for (const nameOrId of ["Skript", String(id)]) {
    await deactivatePrograms(app.db);
    expect(await run("enable", [nameOrId])).toMatchObject({ json: { id, display_name: "Skript" } });
    const state = { Status: "exited", Running: false };
    expect((await run("list", [])).json).toEqual([{ id, display_name: "Skript", driver: "script", state }]);
  }
  const { json: namedLikeAnId } = await add({ script }, String(id));
  const ids = [id, (namedLikeAnId as { id: number }).id];
  await expect(run("enable", [String(id)])).rejects.toThrow(`is more than one game server: ${ids.join(", ")}.`);
  for (const one of ids) await run("remove", [String(one)]);
});

test("game-server add and remove refuse an unknown container, script, program or id", async () => {
  const refused = async (options: Record<string, string>) => {
    const error = await add(options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CommandRefusedError);
    return (error as Error).message;
  };
  expect(await refused({ docker: "gone" })).toBe("The engine has no container “gone”. Nothing was added.");
  expect(await refused({ script: join(folder, "notes.txt") })).toContain("is not a file that can be executed.");
  expect(await refused({ script: join(folder, "gone.sh") })).toContain("is not a file that can be executed.");
  expect(await refused({ command: "no-such-program --now" })).toContain(
    "The program or its working directory does not exist",
  );
  expect(await refused({ command: "sleep 1", cwd: join(folder, "gone") })).toContain(
    "working directory does not exist",
  );
  await expect(run("remove", ["999"])).rejects.toThrow("There is no game server 999.");
  await expect(run("remove", ["1; drop table"])).rejects.toBeInstanceOf(CommandRefusedError);
  expect(await app.db.selectFrom("game_servers").select("id").execute()).toEqual([]);
});

test("game-server add accepts any container while the engine is unreachable", async () => {
  await engine.kill();
  const { json } = await add({ docker: "gone" });
  expect((await run("list", [])).json).toMatchObject([{ state: null }]);
  await run("remove", [String((json as { id: number }).id)]);
  await engine.restart();
});

test("game-server add refuses missing, contradictory and invalid options as wrong usage", async () => {
  const senseless: Record<string, string>[] = [
    {},
    { docker: "keller", unit: "keller" },
    { docker: "keller", cwd: "/" },
    { docker: "keller", "stop-signal": "SIGINT" },
    { docker: "keller", address: "spiele.example" },
    { docker: "keller", query: "source" },
    { docker: "keller", address: "spiele.example:1", query: "doom" },
    { docker: "keller", grace: "-1" },
    { docker: "keller", grace: "bald" },
    { docker: "keller", "idle-stop": "bald" },
    { docker: "keller", address: "spiele.example:1", query: "source", "idle-stop": "0" },
    { command: "" },
    { command: "echo 'no end" },
    { command: "sleep 1", "stop-signal": "SIGNAL" },
  ];
  for (const options of senseless)
    await expect(add(options), JSON.stringify(options)).rejects.toBeInstanceOf(CommandUsageError);
  for (const name of ["", "  ", "x".repeat(65), "Kel\u202eler"])
    await expect(add({ docker: "keller" }, name), name).rejects.toBeInstanceOf(CommandUsageError);
});

test.each([
  ["sleep 300", ["sleep", "300"]],
  ["  teeworlds-server   'sv_name Der Keller;sv_port 8303' ", ["teeworlds-server", "sv_name Der Keller;sv_port 8303"]],
  [`a "b 'c' d"e f\\ g ''`, ["a", "b 'c' de", "f g", ""]],
  ["echo $HOME `id` && rm -rf *", ["echo", "$HOME", "`id`", "&&", "rm", "-rf", "*"]],
  ["a 'b", null],
  ["", []],
])("splitCommandLine parses the command line %j", (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

test("open pages refetch game servers only after a command that changed game servers", async () => {
  const { driver } = createFakeDriver({ now: () => open.clock.now() });
  const open = await createTestApp({}, { gameServers: { drivers: { docker: driver } }, onDisk: true });
  const carla = await open.createMember("carla");
  const page = await connectSocket(open, carla.cookieHeader);
  await subscribe(carla, page, "private-game-servers");
  const env = { DATA_DIR: open.config.dataDir, ENGINE_URL: engine.url };
  expect(await runInProcess(["invite", "create"], env)).toMatchObject({ code: 0 });
  expect(await runInProcess(["game-server", "add", "Keller", "--docker", "keller"], env)).toMatchObject({ code: 0 });
  const updated = () => page.messages.flatMap(({ event, data }) => (event === "updated" ? [data.serverId] : []));
  await expect.poll(updated).not.toEqual([]);
  expect(new Set(updated())).toEqual(new Set([1]));
});

// Replaces the users of the systemd units by user ids, because the test machine has neither these
// users nor systemd. Only root may switch to other users.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { createDockerDriver } from "#server/features/game-servers/drivers/docker.ts";
import { createTemporaryFolder, endWithTest } from "#test/cleanup.ts";
import { createTarget } from "#test/driver-watch.ts";
import { createFakeEngine } from "#test/fake-engine.ts";

const root = join(import.meta.dirname, "../..");
const ids = { stammtisch: 60_001, "stammtisch-engine": 60_002, docker: 60_003, stranger: 60_004 };

/** Returns the options of setpriv for a user, a group and supplementary groups. */
const identify = (user: number, group: number, others: readonly number[] = []) => [
  `--reuid=${user}`,
  `--regid=${group}`,
  others.length > 0 ? `--groups=${others.join()}` : "--clear-groups",
  "--bounding-set=-all",
];

/**
 * Returns the setpriv options for the user and groups of a systemd unit. A unit without `Group`
 * uses the user's own group, which has the user's name.
 */
function identityOf(unit: string): string[] {
  const settings = readFileSync(join(root, "deploy", unit), "utf8");
  const idOf = (setting: string) => ids[new RegExp(`^${setting}=(.+)$`, "m").exec(settings)?.[1] as keyof typeof ids];
  const others = idOf("SupplementaryGroups");
  return identify(idOf("User"), idOf("Group") ?? idOf("User"), others ? [others] : []);
}

const app = identityOf("stammtisch.service");
const stranger = identify(ids.stranger, ids.stranger);
const canBecomeOthers =
  process.getuid?.() === 0 && spawnSync("setpriv", [...stranger, process.execPath, "--version"]).status === 0;

/** Runs a Node script with another user's identity, and returns what it prints. */
async function evaluate(identity: readonly string[], code: string): Promise<string> {
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn("setpriv", [...identity, process.execPath, "--eval", code], { stdio: [...stdio] });
  return (await text(child.stdout)).trim();
}

const connectTo = (socket: string) =>
  `require("node:net").connect(${JSON.stringify(socket)}, () => process.exit(console.log("open")))
    .on("error", ({ code }) => console.log(code));`;
const inspect = (socket: string) =>
  `const path = "/v1.41/containers/minecraft/json";
  require("node:http").get({ socketPath: ${JSON.stringify(socket)}, path }, ({ statusCode }) => console.log(statusCode));`;
const attempt = (call: string) =>
  `try { require("node:fs").${call}; console.log("done"); } catch ({ code }) { console.log(code); }`;

test("the app's user reaches the container engine only through the filter, and cannot read the filter's memory", async ({
  skip,
}) => {
  skip(!canBecomeOthers, "only root can run programs as another user");
  const engine = await createFakeEngine();
  engine.create("minecraft");
  const engineSocket = engine.url.replace("unix://", "");
  chmodSync(join(engineSocket, ".."), 0o755);
  chownSync(engineSocket, 0, ids.docker);
  chmodSync(engineSocket, 0o660);
  const home = createTemporaryFolder();
  chmodSync(home, 0o755);
  // Creates the folder that systemd would create because of the unit's RuntimeDirectory=.
  const unit = readFileSync(join(root, "deploy/engine-filter.service"), "utf8");
  const runtime = join(home, "run");
  const mode = /^RuntimeDirectoryMode=(\d+)$/m.exec(unit)?.[1] ?? "755";
  mkdirSync(runtime);
  chmodSync(runtime, Number.parseInt(mode, 8));
  const [user, group] = identityOf("engine-filter.service").map((option) => Number(option.split("=")[1]));
  chownSync(runtime, user!, group!);

  const socket = join(runtime, "engine.sock");
  const words = ["engine-filter", "--engine", engine.url, "--listen", socket, "--allow", "minecraft"];
  const program = [...identityOf("engine-filter.service"), join(root, "bin/stammtisch"), ...words];
  const filter = spawn("setpriv", program, { stdio: ["ignore", "ignore", "pipe"] });
  endWithTest(async () => void filter.kill());
  const [line] = (await once(filter.stderr, "data")) as [Buffer];
  expect(String(line)).toContain("engine-filter-listening");

  expect(await evaluate(app, inspect(socket))).toBe("200");
  expect(await evaluate(app, connectTo(engineSocket))).toBe("EACCES");
  const memory = ["mem", "environ"].map((file) => evaluate(app, attempt(`openSync("/proc/${filter.pid}/${file}")`)));
  expect(await Promise.all(memory)).toEqual(["EACCES", "EACCES"]);
  expect(await evaluate(app, attempt(`unlinkSync(${JSON.stringify(socket)})`))).toBe("EACCES");
  expect(await evaluate(stranger, connectTo(socket))).toBe("EACCES");
});

test("the command “engine-filter” gives its group access to the socket, and replaces the socket of a killed filter", async () => {
  const folder = createTemporaryFolder();
  const place = join(folder, "command.sock");
  const engine = await createFakeEngine();
  for (const name of ["gs-anna", "gs-ben", "gs-carla"]) engine.create(name);
  const words = ["engine-filter", "--engine", engine.url, "--listen", place, "--allow", "gs-anna", "gs-ben"];
  const env = { DATA_DIR: join(folder, "none"), LOG_LEVEL: "error" };
  const run = () => spawn(join(root, "bin/stammtisch"), words, { env: { ...process.env, ...env } });
  const driver = createDockerDriver({ engineUrl: `unix://${place}` });
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    const child = run();
    await expect
      .poll(() => driver.inspect(createTarget("gs-ben")), { timeout: 60_000 })
      .toMatchObject({ kind: "found" });
    expect(statSync(place).mode & 0o777).toBe(0o660);
    expect(await driver.inspect(createTarget("gs-carla"))).toEqual({ kind: "missing" });
    child.kill(signal);
    const [code] = await once(child, "exit");
    expect(code).toBe(signal === "SIGTERM" ? 0 : null);
  }
  expect(statSync(place, { throwIfNoEntry: false })).toBeUndefined();
  expect(statSync(env.DATA_DIR, { throwIfNoEntry: false })).toBeUndefined();
});

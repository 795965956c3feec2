import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "./cleanup.ts";

const root = join(import.meta.dirname, "..");

/** Folder with a copy of the launcher and a fake command line that prints how it was started. */
const home = createTemporaryFolder();
for (const path of ["bin", "scripts/prepare.js", "package.json"])
  cpSync(join(root, path), join(home, path), { recursive: true });
for (const path of ["contract", "server", "runtime/node_modules"]) mkdirSync(join(home, path), { recursive: true });
symlinkSync(process.execPath, join(home, "runtime/node_modules/current"));
writeFileSync(
  join(home, "server/cli.ts"),
  `export async function runCommandLine(argv: string[]): Promise<number> {
    const asked = new Promise((resolve) => process.on("SIGTERM", resolve));
    console.log(JSON.stringify({ argv, pid: process.pid, path: process.env.PATH?.split(":")[0], cwd: process.cwd() }));
    if (argv[0] !== "serve") return 3;
    const timer = setInterval(() => {}, 1000);
    await asked;
    clearInterval(timer);
    return 7;
  }`,
);

test("the launcher bin/stammtisch runs the app's own Node in any folder, and passes on the arguments and the exit code", async () => {
  const program = start(join(home, "bin/stammtisch"), ["user", "list", "a b"]);
  const told = await firstLine(program);
  expect(told).toEqual({
    argv: ["user", "list", "a b"],
    pid: program.pid,
    path: dirname(process.execPath),
    cwd: tmpdir(),
  });
  expect(await end(program)).toEqual([3, null]);
});

test("the launcher bin/stammtisch can be started through a symbolic link", async () => {
  symlinkSync(join(home, "bin/stammtisch"), join(home, "link"));
  expect(await firstLine(start(join(home, "link"), ["doctor"]))).toMatchObject({ argv: ["doctor"] });
});

test("the process of the launcher bin/stammtisch becomes the server, without a child process", async () => {
  const program = start(join(home, "bin/stammtisch"), ["serve"]);
  expect(await firstLine(program)).toMatchObject({ pid: program.pid });
  program.kill("SIGTERM");
  expect(await end(program)).toEqual([7, null]);
});

test("the launcher bin/stammtisch forwards signals and the exit code if it must start another Node version", async () => {
  const launcher = startChildOfLauncher();
  await firstLine(launcher);
  launcher.kill("SIGTERM");
  expect(await end(launcher)).toEqual([7, null]);
});

test("killing the launcher bin/stammtisch after it has started another Node version also ends the server", async () => {
  const launcher = startChildOfLauncher();
  await firstLine(launcher);
  launcher.kill("SIGKILL");
  // The server holds the other end of this stream, which closes when the server ends.
  await new Promise((resolve) => launcher.stdout?.once("close", resolve));
});

const nobody = { uid: 65_534, gid: 65_534 };
/** `true` if this process may run programs as another user, and that user can execute our Node. */
const isUsableByNobody = spawnSync(process.execPath, ["--version"], nobody).status === 0;

test("the launcher bin/stammtisch tells a user without write access how to build the app", async ({ skip }) => {
  skip(!isUsableByNobody, "only root can run programs as another user, who must be able to run this Node");
  chmodSync(home, 0o755);
  const lockfile = join(home, "package-lock.json");
  writeFileSync(lockfile, "{}");
  const program = spawn(join(home, "bin/stammtisch"), ["serve"], nobody);
  const [said, exit] = await Promise.all([text(program.stderr), end(program)]);
  expect(said).toBe(`${home} is not built, and this user may not write there. Run: cd ${home} && sudo npm run build\n`);
  expect(exit).toEqual([1, null]);
  rmSync(lockfile);
});

test("the launcher installs packages once per content of the lockfile, whatever the file's modification time", () => {
  const [lockfile, stubs] = [join(home, "package-lock.json"), createTemporaryFolder()];
  const npm = "#!/bin/sh\nmkdir -p node_modules; touch node_modules/.package-lock.json";
  writeFileSync(join(stubs, "npm"), npm, { mode: 0o755 });
  const env = { ...process.env, PATH: `${stubs}:${process.env["PATH"]}` };
  const said = [
    ["first", 9e9],
    ["first", 9e9],
    ["second", 1],
    ["second", 2],
  ].map(([content, time]) => {
    writeFileSync(lockfile, JSON.stringify({ name: content }));
    utimesSync(lockfile, time!, time!);
    return spawnSync(join(home, "bin/stammtisch"), ["doctor"], { env, encoding: "utf8", timeout: 60_000 }).stderr;
  });
  rmSync(lockfile);
  expect(said).toEqual(["Installing packages …\n", "", "Installing packages …\n", ""]);
});

test("the launcher installs the pinned Node version without running the package's install scripts", async () => {
  const { said, folder } = await runPinnedNode(`ln -s ${process.execPath} node_modules/node/bin/node`);
  expect(said).toBe(`${process.version}\n`);
  expect(readFileSync(join(folder, "arguments"), "utf8").split(" ")).toContain("--ignore-scripts");
});

test("the launcher says why the pinned Node does not start, each time until it does", async () => {
  const broken = `printf '#!/bin/sh\necho "cannot open libatomic.so.1" >&2; exit 127' > node_modules/node/bin/node
    chmod +x node_modules/node/bin/node`;
  const { said, folder } = await runPinnedNode(broken);
  expect(said).toContain("does not start: cannot open libatomic.so.1. If libatomic.so.1 is missing: sudo apt install");
  expect(existsSync(join(folder, "node_modules/current"))).toBe(false);
});

/** Runs `node --version` with the pinned Node that these shell commands install. */
async function runPinnedNode(install: string): Promise<{ said: string; folder: string }> {
  const [other, stubs] = [createTemporaryFolder(), createTemporaryFolder()];
  mkdirSync(join(other, "runtime"));
  mkdirSync(join(other, "scripts"));
  cpSync(join(root, "scripts/prepare.js"), join(other, "scripts/prepare.js"));
  writeFileSync(join(other, "runtime/package-lock.json"), "{}");
  const npm = `#!/bin/sh
    echo "$@" > arguments
    mkdir -p node_modules/node/bin
    ${install}`;
  writeFileSync(join(stubs, "npm"), npm, { mode: 0o755 });
  const code = `import("${other}/scripts/prepare.js")
    .then((prepare) => prepare.runPinned(["--version"]))
    .catch(({ message }) => process.stdout.write(message));`;
  const program = start(process.execPath, ["-e", code], { PATH: `${stubs}:${process.env["PATH"]}` });
  return { said: await text(program.stdout!), folder: join(other, "runtime") };
}

test("the launcher does not reinstall packages that an operator has installed with npm", () => {
  const lockfile = join(home, "package-lock.json");
  writeFileSync(lockfile, "{}");
  rmSync(join(home, "node_modules"), { recursive: true, force: true });
  mkdirSync(join(home, "node_modules"));
  writeFileSync(join(home, "node_modules/.package-lock.json"), "");
  const { stderr } = spawnSync(join(home, "bin/stammtisch"), ["doctor"], { encoding: "utf8", timeout: 60_000 });
  rmSync(lockfile);
  expect(stderr).toBe("");
});

test("a failed or killed build reports its failure and keeps the previous pages", async () => {
  expect(await build("first.js")).toEqual({ said: "", pages: ["first.js"] });
  const killed = await build("second.js", `process.kill(process.pid, "SIGKILL")`);
  expect(killed.said).toContain(
    "Building the pages was ended by SIGKILL, probably because memory ran out: the machine needs 1 GB.",
  );
  expect(killed.pages).toEqual(["first.js"]);
  const failed = await build("third.js", "process.exit(1)");
  expect(failed.said).toContain("Building the pages failed; what is wrong stands above.");
  expect(failed.pages).toEqual(["first.js"]);
  expect(await build("fourth.js")).toEqual({ said: "", pages: ["fourth.js"] });
});

/**
 * Builds the pages with a program that writes `file` and then runs the code `ending`. Returns the
 * error output and the files of dist.
 */
async function build(file: string, ending = ""): Promise<{ said: string; pages: string[] }> {
  for (const folder of ["web", "node_modules/vite/bin"]) mkdirSync(join(home, folder), { recursive: true });
  const vite = `const { mkdirSync, writeFileSync } = require("node:fs");
    const folder = process.argv[process.argv.indexOf("--outDir") + 1];
    mkdirSync(folder, { recursive: true });
    writeFileSync(folder + "/${file}", "");
    ${ending}`;
  writeFileSync(join(home, "node_modules/vite/bin/vite.js"), vite);
  const code = `import("${home}/scripts/prepare.js")
    .then(({ buildWeb }) => buildWeb())
    .catch(({ message }) => process.stdout.write(message));`;
  const program = start(process.execPath, ["-e", code]);
  return { said: await text(program.stdout!), pages: readdirSync(join(home, "dist")) };
}

/** Starts the child process that bin/stammtisch starts when its own Node is too old. */
function startChildOfLauncher(): ChildProcess {
  for (const file of ["package-lock.json", "node_modules/.installed-lock.json"])
    writeFileSync(join(home, "runtime", file), "{}");
  const code = `import("${home}/scripts/prepare.js")
    .then((prepare) => prepare.runPinned(["${home}/bin/stammtisch", "serve"]))
    .then((code) => (process.exitCode = code));`;
  return start(process.execPath, ["-e", code]);
}

function start(program: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(program, args, { cwd: tmpdir(), env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
}

async function firstLine(program: ChildProcess): Promise<{ pid: number }> {
  return new Promise((resolve) =>
    program.stdout?.once("data", (chunk: Buffer) => resolve(JSON.parse(chunk.toString()))),
  );
}

async function end(program: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve) => void program.once("exit", (code, signal) => resolve([code, signal])));
}

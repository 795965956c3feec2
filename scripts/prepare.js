// Installs Node, installs packages and builds the pages before our TypeScript runs. Therefore plain
// JavaScript without dependencies, for Node 20 and newer.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Path of the folder that contains package.json. */
export const home = dirname(dirname(fileURLToPath(import.meta.url)));
const pinned = join(home, "runtime/node_modules/current");
const dist = join(home, "dist");
/** Path of the file with a checksum of the sources that dist/ was built from. */
const distStamp = join(home, ".build/dist.sha256");

/**
 * Returns `true` if the running Node is too old for our TypeScript. Also `true` for a pinned Node
 * of this repository after another version was pinned.
 */
export function needsOtherNode() {
  const [major, minor] = process.version.slice(1).split(".").map(Number);
  if (major < 24 || (major === 24 && minor < 21)) return true;
  return process.execPath.startsWith(join(home, "runtime/")) && !isPinnedInstalled();
}

/**
 * Runs a script with the pinned Node, which is installed if necessary. Resolves to the exit code.
 * Signals are forwarded; the child has a separate process group, so that Ctrl-C reaches it only
 * once.
 */
export async function runPinned(args) {
  onlyOne(() => !isPinnedInstalled(), installPinnedNode);
  const node = realpathSync(pinned);
  const child = spawn(node, args, {
    stdio: "inherit",
    detached: true,
    env: { ...process.env, PATH: nodeFirst(node), LAUNCHED_BY: String(process.pid) },
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/**
 * Kills this process once its launcher (runPinned() or `npm start`) has ended. A signal may end
 * only the launcher; this process would then keep the port in use.
 */
export function exitWithParent() {
  const launcher = Number(process.env.LAUNCHED_BY ?? (process.env.npm_lifecycle_event === "start" && process.ppid));
  delete process.env.LAUNCHED_BY;
  if (launcher) setInterval(() => process.ppid === launcher || process.kill(process.pid, "SIGKILL"), 100).unref();
}

/**
 * Puts the running Node first in the PATH of child processes, and caches compiled code for the next
 * start.
 */
export function prepareEnvironment() {
  process.env.PATH = nodeFirst(process.execPath);
  module.enableCompileCache(join(home, "node_modules/.cache/node"));
}

/** Installs the packages of the lockfile if they are missing or outdated. */
export function installPackages() {
  onlyOne(
    () => arePackagesStale(home),
    () => {
      say("Installing packages …");
      npmCi(home);
    },
  );
}

/**
 * Installs the packages of a lockfile into a folder outside of this repository's own packages, and
 * copies the lockfile and its package.json there. Does nothing if they are already installed.
 */
export function installApart(source, folder) {
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(source, file), join(folder, file));
  onlyOne(
    () => arePackagesStale(folder),
    () => npmCi(folder),
  );
}

/**
 * Returns `true` if dist/ was not built from the current sources. Always `false` for an
 * installation that contains no sources.
 */
function isWebStale() {
  if (!existsSync(join(home, "web/index.html")) || !existsSync(join(home, "node_modules/vite"))) return false;
  const isBuilt = existsSync(join(dist, "index.html")) && existsSync(distStamp);
  return !isBuilt || readFileSync(distStamp, "utf8") !== webInputs();
}

/** Builds the pages into dist/ if the existing build is missing or stale. */
export function refreshWeb() {
  onlyOne(isWebStale, buildWeb);
}

/** Builds the pages into dist/. If the build fails, dist/ remains unchanged. */
export function buildWeb() {
  say("Building the pages …");
  const inputs = webInputs();
  const built = join(home, ".build/dist");
  rmSync(built, { recursive: true, force: true });
  const vite = [join(home, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn", "--outDir", built];
  // Sets production mode, because the tests' NODE_ENV would select React's development build, which
  // is larger and runs every effect twice.
  const env = { ...process.env, NODE_ENV: "production" };
  const { status, signal } = spawnSync(process.execPath, vite, { cwd: home, env, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw plain(`Building the pages ${describeFailure(signal)}`);
  keepPreviousAssets(built);
  rmSync(distStamp, { force: true });
  rmSync(dist, { recursive: true, force: true });
  renameSync(built, dist);
  writeFileSync(distStamp, inputs);
}

/** Time for which the files of the previous build are kept. */
const keptMs = 24 * 60 * 60_000;

/**
 * Adds the assets of dist/ to a new build, so that pages opened before the update can still load their code. A list in
 * the build says since when each kept file is replaced; the first build a day later drops the file.
 */
function keepPreviousAssets(built) {
  const list = ".previous-assets.json";
  const [from, to] = [dist, built].map((folder) => join(folder, "assets"));
  if (!existsSync(from)) return;
  const before = existsSync(join(dist, list)) ? JSON.parse(readFileSync(join(dist, list), "utf8")) : {};
  const kept = {};
  for (const name of readdirSync(from)) {
    const replacedAt = before[name] ?? Date.now();
    if (existsSync(join(to, name)) || Date.now() - replacedAt > keptMs) continue;
    copyFileSync(join(from, name), join(to, name));
    kept[name] = replacedAt;
  }
  if (Object.keys(kept).length > 0) writeFileSync(join(built, list), JSON.stringify(kept));
}

/**
 * Describes the failure of a program that has already printed the reason. `signal` is `null` if no
 * signal ended the program.
 */
function describeFailure(signal) {
  if (signal === null) return "failed; what is wrong stands above.";
  if (signal !== "SIGKILL") return `was ended by ${signal}.`;
  return "was ended by SIGKILL, probably because memory ran out: the machine needs 1 GB.";
}

/**
 * Runs `work` if `isNeeded` returns `true`. A lock file makes other processes that need the same
 * work wait.
 */
function onlyOne(isNeeded, work) {
  const lock = join(home, ".build/prepare.lock");
  while (isNeeded()) {
    try {
      mkdirSync(dirname(lock), { recursive: true });
      writeFileSync(lock, String(process.pid), { flag: "wx" });
    } catch (error) {
      if (["EACCES", "EROFS"].includes(error.code))
        throw plain(`${home} is not built, and this user may not write there. Run: cd ${home} && sudo npm run build`);
      if (error.code !== "EEXIST") throw error;
      if (isAbandoned(lock)) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      continue;
    }
    try {
      if (isNeeded()) work();
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

/**
 * Returns `true` if the process that created the lock file has ended without deleting it, or
 * created it more than ten minutes ago.
 */
function isAbandoned(lock) {
  try {
    if (Date.now() - statSync(lock).mtimeMs > 10 * 60_000) return true;
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/**
 * Returns the paths of a folder's lockfile, and of the copy that npmCi() made at the last
 * installation.
 */
function lockfiles(folder) {
  return [join(folder, "package-lock.json"), join(folder, "node_modules/.installed-lock.json")];
}

/**
 * Returns `true` if the installed packages do not match the lockfile. Compares contents, because
 * file times are wrong after unpacking an archive or with a wrong clock.
 */
function arePackagesStale(folder) {
  const [lock, installed] = lockfiles(folder);
  if (!existsSync(lock)) return false;
  if (existsSync(installed)) return !readFileSync(lock).equals(readFileSync(installed));
  // After a plain `npm ci` no copy of the lockfile exists, and npm's own list has other contents.
  // Therefore compares file times.
  const byNpm = join(folder, "node_modules/.package-lock.json");
  return !existsSync(byNpm) || statSync(byNpm).mtimeMs < statSync(lock).mtimeMs;
}

function isPinnedInstalled() {
  return existsSync(pinned) && !arePackagesStale(join(home, "runtime"));
}

function installPinnedNode() {
  const folder = join(home, "runtime");
  say(`This needs Node 24.21 or newer and found ${process.version}; installing the pinned one into runtime/ …`);
  npmCi(folder);
  // Checks that the binary exists, because npm reports no error for optional packages that it
  // cannot download.
  const binary = readdirSync(join(folder, "node_modules"))
    .map((name) => join(folder, "node_modules", name, "bin/node"))
    .find((file) => existsSync(file));
  if (!binary)
    throw plain(
      `Node for ${process.platform} ${process.arch} could not be downloaded. Is the registry of npm reachable? Otherwise install Node 24.21 or newer yourself.`,
    );
  const { status, stderr } = spawnSync(binary, ["--version"], { encoding: "utf8" });
  if (status !== 0)
    throw plain(
      `The installed Node does not start: ${stderr.trim()}. If libatomic.so.1 is missing: sudo apt install libatomic1`,
    );
  symlinkSync(binary, pinned);
}

function npmCi(folder) {
  const { status, signal, error } = spawnSync(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    {
      cwd: folder,
      stdio: ["ignore", 2, 2],
      env: withoutNpmSettings(process.env),
    },
  );
  if (error) throw plain(`npm could not be started (${error.message}).`);
  if (status !== 0) throw plain(`"npm ci" in ${folder} ${describeFailure(signal)}`);
  copyFileSync(...lockfiles(folder));
}

/**
 * Removes npm settings from the environment of an outer `npm start`. Its prefix, omitted packages
 * and dry run must not apply to the inner npm. Keeps settings for reaching the registry.
 */
function withoutNpmSettings(env) {
  const kept = /^npm_config_(registry|cafile|ca|proxy|https_proxy|noproxy|cache|userconfig|globalconfig)$/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name)));
}

function webInputs() {
  const hash = createHash("sha256");
  const others = ["package-lock.json", "vite.config.ts", "docs/members.de.md"].map((file) => join(home, file));
  const files = [...listFiles("web", "contract"), ...others];
  for (const file of files) {
    if (existsSync(file)) hash.update(file.slice(home.length)).update("\0").update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

function listFiles(...folders) {
  return folders
    .flatMap((folder) => readdirSync(join(home, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function nodeFirst(node) {
  const folder = dirname(node);
  const rest = (process.env.PATH ?? "").split(delimiter).filter((entry) => entry !== folder);
  return [folder, ...rest].join(delimiter);
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function plain(message) {
  return Object.assign(new Error(message), { isPlain: true });
}

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync } from "node:fs";
import { constants, homedir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod/mini";

import type { Config } from "#server/config.ts";
import { createRunStore, type Run } from "./command-runs.ts";
import { type Driver, EngineRefusedError, type Target } from "./driver.ts";
import { poll } from "./poll.ts";
import { findProcessGroup, identifyProcess, isProcessAlive } from "./processes.ts";
import { minimalEnvironment, findProgram, isFolder } from "./programs.ts";

const defaultGraceSeconds = 60;
/** What the system gets to bury what was killed. */
const killGraceMs = 5_000;
const pollEveryMs = 500;

const argument = z.string().check(z.maxLength(4096), z.regex(/^[^\0]*$/));
const isSignal = (name: string): name is NodeJS.Signals => Object.hasOwn(constants.signals, name);

/** What an administrator may set up as a command; `Target.ref` holds it as JSON. */
export const commandSetup = z.object({
  argv: z.array(argument).check(z.minLength(1), z.maxLength(256)),
  /** Null: the home of whoever runs the app. */
  cwd: z.nullable(argument),
  /** Null: SIGTERM. */
  stopSignal: z.nullable(z.string().check(z.refine(isSignal))),
});

/** Programs on this machine, each in a process group of its own that outlives the app and is found again by it. */
export function createCommandDriver({ dataDir }: Pick<Config, "dataDir">): Driver {
  const runs = createRunStore(dataDir);
  /** Tokens of runs of which nothing is left; nothing comes back. */
  const over = new Set<string>();

  /** The process group of what is left of a run: the program itself, or others that it started. */
  function livingGroup(run: Run | null): number | null {
    if (run === null || over.has(run.token)) return null;
    if (run.process && isProcessAlive(run.process)) return run.process.pid;
    const group = findProcessGroup(environmentEntry(run.token));
    // A run without a process may be about to get one.
    if (group === null && (run.process || Date.now() - run.startedAt > 60_000)) over.add(run.token);
    return group;
  }

  const driver: Driver = {
    async inspect(target) {
      const setup = readSetup(target.ref);
      const run = runs.read(target);
      const found = { kind: "found", isOutOfMemory: false, isReady: null, startedAt: run?.startedAt ?? null } as const;
      if (livingGroup(run) !== null) return { ...found, isAlive: true, word: "running", exitCode: null };
      if (!setup?.program) return { kind: "missing" };
      if (!run) return { ...found, isAlive: false, word: "created", exitCode: null };
      return { ...found, isAlive: false, word: "exited", exitCode: run.exitCode };
    },

    async start(target) {
      if (!existsSync("/proc/self/stat")) throw new EngineRefusedError("Commands as game servers need Linux.");
      if (livingGroup(runs.read(target)) !== null) return;
      const setup = readSetup(target.ref);
      if (!setup?.program) throw new EngineRefusedError("There is no such program, or not such a folder.");
      const run: Omit<Run, "setup"> = { token: randomUUID(), process: null, startedAt: Date.now(), exitCode: null };
      let child: ChildProcess;
      try {
        // Before the start: killed right after it, the app still finds the program, by the token in its environment.
        runs.write(target, run);
        child = launch(setup.program, setup.argv.slice(1), setup.cwd, run.token, runs.openLog(target.id));
      } catch (error) {
        throw new EngineRefusedError(`The program could not be started: ${(error as NodeJS.ErrnoException).code}`);
      }
      const remember = (exitCode: number | null) => {
        if (runs.read(target)?.token === run.token) runs.write(target, { ...run, exitCode });
      };
      child.on("exit", (code, signal) => ignoringFullDisk(() => remember(code ?? 128 + constants.signals[signal!])));
      if (child.pid === undefined) {
        const [error] = (await once(child, "error")) as [NodeJS.ErrnoException];
        over.add(run.token);
        throw new EngineRefusedError(`The program could not be started: ${error.code}`);
      }
      run.process = identifyProcess(child.pid);
      ignoringFullDisk(() => remember(null));
      child.unref();
    },

    async stop(target) {
      const run = runs.read(target);
      const signal = readSetup(target.ref)?.stopSignal ?? "SIGTERM";
      const graceMs = (target.graceSeconds ?? defaultGraceSeconds) * 1000;
      if (await endGroups(() => livingGroup(run), signal, graceMs)) return;
      if (await endGroups(() => livingGroup(run), "SIGKILL", killGraceMs)) return;
      throw new EngineRefusedError("The program does not end.");
    },

    watch(targets, changed, signal) {
      async function look(target: Target) {
        ignoringFullDisk(() => runs.shortenLog(target.id));
        return driver.inspect(target);
      }
      void poll(look, { targets, changed, signal }, pollEveryMs);
    },
  };
  return driver;
}

function readSetup(ref: string) {
  try {
    const { argv, cwd, stopSignal } = commandSetup.parse(JSON.parse(ref));
    const folder = cwd ?? homedir();
    const program = isFolder(folder) ? findProgram(argv[0]!, folder) : null;
    return { argv, cwd: folder, stopSignal: stopSignal as NodeJS.Signals | null, program };
  } catch {
    return null;
  }
}

const environmentEntry = (token: string) => `GAME_SERVER_RUN=${token}`;

function launch(program: string, words: string[], cwd: string, token: string, log: number): ChildProcess {
  const [name, value] = environmentEntry(token).split("=") as [string, string];
  const env = { ...minimalEnvironment(), [name]: value };
  try {
    return spawn(program, words, { cwd, env, detached: true, stdio: ["ignore", log, log] });
  } finally {
    closeSync(log);
  }
}

/** Sends the signal to each group there is, once, and tells whether in time none was left. */
async function endGroups(next: () => number | null, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  const told = new Set<number>();
  const deadline = performance.now() + withinMs;
  for (let group = next(); group !== null; group = next()) {
    if (!told.has(group)) sendSignal(group, signal);
    told.add(group);
    if (performance.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

function sendSignal(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH") throw new EngineRefusedError(`The program may not be stopped: ${code}`);
  }
}

/** What is only good to know must not bring down the app. */
function ignoringFullDisk(write: () => void): void {
  try {
    write();
  } catch {
    // Then the exit code stays unknown, and the log long.
  }
}

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, existsSync } from "node:fs";
import { constants, homedir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod/mini";

import type { Config } from "#server/config.ts";
import { createRunStore, ignoringFullDisk, type Run } from "./command-runs.ts";
import { type Driver, EngineRefusedError, found } from "./driver.ts";
import { watchByPolling } from "./poll.ts";
import { findProcessGroup, identifyProcess, isProcessAlive } from "./processes.ts";
import { minimalEnvironment, findProgram, isFolder } from "./programs.ts";

const defaultGraceSeconds = 60;
const killGraceMs = 5_000;
const pollEveryMs = 500;

const argument = z.string().check(z.maxLength(4096), z.regex(/^[^\0]*$/));
const isSignal = (name: string): name is NodeJS.Signals => Object.hasOwn(constants.signals, name);

/** Set up on the command line; stored in `Target.ref` as JSON. */
export const commandSetup = z.object({
  argv: z.array(argument).check(z.minLength(1), z.maxLength(256)),
  /** `null` for the home folder of the app's user. */
  cwd: z.nullable(argument),
  /** `null` for SIGTERM. */
  stopSignal: z.nullable(z.string().check(z.refine(isSignal))),
});

/** Runs each program in its own process group, which outlives the app and is found again after a restart. */
export function createCommandDriver({ dataDir }: Pick<Config, "dataDir">): Driver {
  const runs = createRunStore(dataDir);
  const ended = new Set<string>();

  /** Returns `null` if the program and all its descendants have ended. */
  function livingGroup(run: Run | null): number | null {
    if (run === null || ended.has(run.token)) return null;
    if (run.process && isProcessAlive(run.process)) return run.process.pid;
    const group = findProcessGroup(`${tokenVariable}=${run.token}`);
    // A run without a stored process may still be starting, so it counts as ended only after a minute.
    if (group === null && (run.process || Date.now() - run.startedAt > 60_000)) ended.add(run.token);
    return group;
  }

  const inspect: Driver["inspect"] = async (target) => {
    const run = runs.read(target);
    const startedAt = run?.startedAt ?? null;
    if (livingGroup(run) !== null) return found({ isAlive: true, status: "running", startedAt });
    if (!readSetup(target.ref)?.program) return { kind: "missing" };
    if (!run) return found({ isAlive: false, status: "created" });
    const lastLine = runs.readLastLine(target.id);
    return found({ isAlive: false, status: "exited", startedAt, exitCode: run.exitCode, lastLine });
  };

  return {
    inspect,
    async start(target) {
      if (!existsSync("/proc/self/stat")) throw new EngineRefusedError("Commands as game servers need Linux.");
      if (livingGroup(runs.read(target)) !== null) return;
      const setup = readSetup(target.ref);
      if (!setup?.program) throw new EngineRefusedError("There is no such program or folder.", "missing");
      const run: Omit<Run, "setup"> = { token: randomUUID(), process: null, startedAt: Date.now(), exitCode: null };
      let child: ChildProcess;
      try {
        // Stores the run first: an app that is killed in between can find the program by the token.
        runs.write(target, run);
        child = launch(setup.program, setup.argv.slice(1), setup.cwd, run.token, runs.openLog(target.id));
      } catch (error) {
        throw new EngineRefusedError(`The program could not be started: ${(error as NodeJS.ErrnoException).code}`);
      }
      const saveRun = (exitCode: number | null) => {
        if (runs.read(target)?.token === run.token) runs.write(target, { ...run, exitCode });
      };
      child.on("exit", (code, signal) => ignoringFullDisk(() => saveRun(code ?? 128 + constants.signals[signal!])));
      if (child.pid === undefined) {
        const [error] = (await once(child, "error")) as [NodeJS.ErrnoException];
        ended.add(run.token);
        throw new EngineRefusedError(`The program could not be started: ${error.code}`);
      }
      run.process = identifyProcess(child.pid);
      ignoringFullDisk(() => saveRun(null));
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

    watch: watchByPolling(async (target) => {
      runs.shortenLog(target.id);
      return inspect(target);
    }, pollEveryMs),
  };
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

const tokenVariable = "GAME_SERVER_RUN";

function launch(program: string, args: string[], cwd: string, token: string, log: number): ChildProcess {
  const env = { ...minimalEnvironment(), [tokenVariable]: token };
  try {
    return spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", log, log] });
  } finally {
    closeSync(log);
  }
}

/** Signals each process group once. Resolves to `true` if all groups ended in time. */
async function endGroups(next: () => number | null, signal: NodeJS.Signals, timeoutMs: number): Promise<boolean> {
  const signalled = new Set<number>();
  const deadline = performance.now() + timeoutMs;
  for (let group = next(); group !== null; group = next()) {
    if (!signalled.has(group)) sendSignal(group, signal);
    signalled.add(group);
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

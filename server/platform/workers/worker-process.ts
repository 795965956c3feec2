import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { setInterval as everyTick, setTimeout as sleep } from "node:timers/promises";

import { seconds } from "#server/time.ts";

/** The worker process did not start, or ended before its reply. */
export class WorkerError extends Error {}

/** `null` if the process was killed for its time or memory. */
type Ask<Job, Reply> = (job: Job, limitMs: number) => Promise<Reply | null>;

export type WithWorker<Job, Reply> = <Result>(
  work: (ask: Ask<Job, Reply>) => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>;

const idleMs = seconds(10);
const memoryCheckMs = 50;
const pageBytes = 4096;
const never = new AbortController().signal;

const workers = new Set<ChildProcess>();
process.once("exit", () => workers.forEach((worker) => worker.kill("SIGKILL")));

/**
 * `work` gets a process of its own, which executes `file` and answers one job at a time with `answerJobs`. Kills the
 * process if `work` fails, `signal` is aborted, or it has more than `maxBytes` in memory (on Linux).
 */
export function createWorkers<Job, Reply>(
  file: string,
  maxBytes: number,
  env: NodeJS.ProcessEnv = {},
): WithWorker<Job, Reply> {
  // Starting a process takes longer than most jobs.
  const idle: ChildProcess[] = [];
  const idleTimer = setTimeout(() => idle.splice(0).forEach((worker) => worker.kill("SIGKILL")), idleMs).unref();

  function takeIdle(): ChildProcess | undefined {
    const worker = idle.pop();
    if (worker && !worker.connected) return takeIdle();
    worker?.ref();
    worker?.channel?.ref();
    return worker;
  }

  function keepIdle(worker: ChildProcess): void {
    worker.unref();
    worker.channel?.unref();
    idle.push(worker);
    idleTimer.refresh();
  }

  return async (work, signal = never) => {
    const worker = takeIdle() ?? start(file, maxBytes, env);
    try {
      const result = await work((job, limitMs) => ask<Reply>(worker, job, { limitMs, maxBytes, signal }));
      if (!worker.killed && worker.connected) keepIdle(worker);
      return result;
    } catch (error) {
      worker.kill("SIGKILL");
      throw error;
    }
  };
}

interface Limits {
  readonly limitMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function ask<Reply>(worker: ChildProcess, job: unknown, limits: Limits): Promise<Reply | null> {
  limits.signal.throwIfAborted();
  const finished = new AbortController();
  const { signal } = finished;
  const failAfter = async (event: Promise<unknown>, reason: (args: unknown) => unknown): Promise<never> => {
    throw reason(await event);
  };
  try {
    worker.send(job as object);
    const reply = await Promise.race([
      once(worker, "message", { signal }).then(([message]) => ({ message: message as Reply })),
      failAfter(once(worker, "exit", { signal }), (exit) => {
        const [code, name] = exit as [number | null, string | null];
        return new Error(`ended with ${name ?? code}`);
      }),
      failAfter(once(limits.signal, "abort", { signal }), () => limits.signal.reason),
      sleep(limits.limitMs, null, { signal }),
      waitForMemory(worker, limits.maxBytes, signal),
    ]);
    if (reply === null) worker.kill("SIGKILL");
    return reply && reply.message;
  } catch (error) {
    if (limits.signal.aborted) throw error;
    throw new WorkerError(`The worker process failed: ${(error as Error).message}`, { cause: error });
  } finally {
    finished.abort();
  }
}

async function waitForMemory({ pid }: ChildProcess, maxBytes: number, signal: AbortSignal): Promise<null> {
  for await (const _ of everyTick(memoryCheckMs, null, { signal })) if (residentBytes(pid!) > maxBytes) break;
  return null;
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * pageBytes;
  } catch {
    return 0;
  }
}

function start(file: string, maxBytes: number, env: NodeJS.ProcessEnv): ChildProcess {
  const cacheFolder = getCompileCacheDir();
  const worker = fork(file, [], {
    // The server's environment variables contain secrets.
    env: { ...env, ...(cacheFolder !== undefined && { NODE_COMPILE_CACHE: dirname(cacheFolder) }) },
    // JavaScript collects its garbage before the process reaches the limit.
    execArgv: [`--max-old-space-size=${Math.floor((maxBytes * 2) / 3 / 1024 ** 2)}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // An error of a worker between two jobs would end the server.
  worker.on("error", () => {});
  if (worker.pid === undefined)
    throw new WorkerError("A worker process could not be started: too many processes or open files");
  workers.add(worker);
  return worker.once("exit", () => workers.delete(worker));
}

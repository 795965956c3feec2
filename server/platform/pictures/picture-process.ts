import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { seconds } from "#server/time.ts";
import type { PictureJob, PictureReply } from "./picture-worker.ts";

/**
 * Thrown if the worker process did not start, or ended before its reply, e.g. because it ran out of
 * memory.
 */
export class PictureWorkerError extends Error {}

const workers = new Set<ChildProcess>();
process.once("exit", () => workers.forEach((worker) => worker.kill("SIGKILL")));

/**
 * Worker processes without a job. They are reused, because starting one takes longer than encoding
 * most pictures.
 */
const idleWorkers: ChildProcess[] = [];
const idleMs = seconds(10);
const idleTimer = setTimeout(endIdleWorkers, idleMs).unref();

/**
 * Runs a job in a worker process. Kills the process after `limitMs`. Returns `null` if the picture
 * could not be decoded, or not in time.
 */
export async function runPictureJob(job: PictureJob, limitMs: number): Promise<PictureReply> {
  const finished = new AbortController();
  const { signal } = finished;
  let worker: ChildProcess | undefined;
  let reply: PictureReply | "none" = "none";
  try {
    worker = takeIdleWorker() ?? startWorker();
    worker.send(job);
    reply = await Promise.race([
      once(worker, "message", { signal }).then(([message]) => message as PictureReply),
      once(worker, "exit", { signal }).then(([code, name]) => Promise.reject(new Error(`ended with ${name ?? code}`))),
      sleep(limitMs, "none" as const, { signal }),
    ]);
  } catch (error) {
    throw new PictureWorkerError(`The picture worker failed: ${(error as Error).message}`, { cause: error });
  } finally {
    finished.abort();
    if (reply === "none") worker?.kill("SIGKILL");
    else keepIdle(worker!);
  }
  return reply === "none" ? null : reply;
}

function startWorker(): ChildProcess {
  const cacheFolder = getCompileCacheDir();
  const worker = fork(join(import.meta.dirname, "picture-worker.ts"), [], {
    // Passes none of the server's environment variables to the worker, because some contain
    // secrets.
    env: cacheFolder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cacheFolder) },
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // Without this listener, an error of a worker between two jobs would end the server.
  worker.on("error", () => {});
  if (worker.pid === undefined) throw new Error("it could not be started: too many processes or open files");
  workers.add(worker);
  return worker.once("exit", () => workers.delete(worker));
}

function takeIdleWorker(): ChildProcess | undefined {
  const worker = idleWorkers.pop();
  if (worker && !worker.connected) return takeIdleWorker();
  worker?.ref();
  worker?.channel?.ref();
  return worker;
}

function keepIdle(worker: ChildProcess): void {
  worker.unref();
  worker.channel?.unref();
  idleWorkers.push(worker);
  idleTimer.refresh();
}

function endIdleWorkers(): void {
  for (const worker of idleWorkers.splice(0)) worker.kill("SIGKILL");
}

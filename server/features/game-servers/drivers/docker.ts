import * as z from "zod/mini";

import type { Config } from "#server/config.ts";
import { every } from "#server/time.ts";
import {
  type Driver,
  EngineRefusedError,
  EngineUnreachableError,
  findLastLine,
  found,
  type Observation,
  type RefusalReason,
  stopTimeoutMs,
  type Target,
} from "./driver.ts";
import { createEngineClient, type EngineClient } from "./engine-client.ts";
import { watchEngine } from "./engine-events.ts";

const inspectMs = 2_000;
/** The inspection and the start together must take less than 10 s. */
const startMs = 7_500;
const pingEveryMs = 3_000;
/** Unanswered pings in a row after which the engine counts as hung; a single ping may get lost. */
const maxLostPings = 2;

/** Safe in a URL path. */
export const containerName = /^[A-Za-z0-9][A-Za-z0-9_.-]{1,127}$/;

const container = z.object({
  Name: z.string(),
  State: z.object({
    Status: z.string(),
    Running: z.boolean(),
    Paused: z.optional(z.boolean()),
    OOMKilled: z.optional(z.boolean()),
    ExitCode: z.optional(z.int()),
    StartedAt: z.optional(z.string()),
    Health: z.optional(z.nullable(z.object({ Status: z.string() }))),
  }),
});
type Container = z.output<typeof container>;

/** Returns the HTTP status if the engine refused the inspection. */
export async function inspectContainer(
  engine: EngineClient,
  name: string,
  timeoutMs: number,
): Promise<Container | number> {
  const { status, body } = await engine.request("GET", `/containers/${name}/json`, timeoutMs);
  if (status !== 200) return status;
  const inspected = container.parse(JSON.parse(body));
  // Engines also accept a prefix of an id and would start another container.
  return inspected.Name === `/${name}` ? inspected : 404;
}

/** Drives Docker and Podman, also through the engine filter. Finds containers by name. */
export function createDockerDriver({ engineUrl }: Pick<Config, "engineUrl">): Driver {
  const engine = createEngineClient(engineUrl);

  async function inspect({ ref }: Target): Promise<Observation> {
    if (!containerName.test(ref)) return { kind: "missing" };
    try {
      const inspected = await inspectContainer(engine, ref, inspectMs);
      if (typeof inspected !== "number") return toObservation(inspected.State);
      // The engine filter answers 403 for a container that it does not allow.
      return { kind: inspected === 404 || inspected === 403 ? "missing" : "unreachable" };
    } catch {
      return { kind: "unreachable" };
    }
  }

  async function send(path: string, observation: Observation | null, timeoutMs: number): Promise<void> {
    if (observation?.kind === "missing") throw new EngineRefusedError("There is no such container.", "missing");
    if (observation?.kind !== "found") throw new EngineUnreachableError("The engine does not answer.");
    const { status, body } = await engine.request("POST", path, timeoutMs);
    if (status === 204 || status === 304) return;
    if (status >= 502 && status <= 504)
      throw new EngineUnreachableError(`The filter cannot reach the engine: ${status}`);
    const detail = readRefusal(body);
    throw new EngineRefusedError(`The engine refused: ${status}`, toRefusalReason(status, detail), detail);
  }

  return {
    inspect,
    // The engine refuses to start a paused container, and the filter allows no resuming.
    start: ({ ref }, observation) => send(`/containers/${ref}/start`, observation, startMs),
    stop({ ref, graceSeconds }, observation) {
      const query = graceSeconds === null ? "" : `?t=${graceSeconds}`;
      const stopped = send(`/containers/${ref}/stop${query}`, observation, stopTimeoutMs(graceSeconds));
      return failWhenEngineHangs(engine, stopped);
    },
    watch: (targets, changed, signal) => void watchEngine(engine, inspect, { targets, changed, signal }),
  };
}

const refusal = z.object({ message: z.string() });

/** Returns `null` if the body contains no message. */
export function readRefusal(body: string): string | null {
  try {
    return findLastLine(refusal.parse(JSON.parse(body)).message);
  } catch {
    return null;
  }
}

/** Podman, and Docker for containers in the host's network, report the kernel's message instead. */
export const portTakenMessage = "port is already allocated";

/** The container was found before, so 404 means that its image is missing. */
export function toRefusalReason(status: number, detail: string | null): RefusalReason {
  if (status === 404) return "missing";
  const isPortTaken = detail?.includes(portTakenMessage) === true || /address already in use/i.test(detail ?? "");
  return isPortTaken ? "portTaken" : "refused";
}

/** Rejects as soon as the engine hangs, because the timeout of a stop may be minutes. */
async function failWhenEngineHangs(engine: EngineClient, work: Promise<void>): Promise<void> {
  const hung = Promise.withResolvers<never>();
  let lostPings = 0;
  const ping = async (): Promise<void> => {
    lostPings = (await engine.ping(inspectMs)) ? 0 : lostPings + 1;
    if (lostPings === maxLostPings) hung.reject(new EngineUnreachableError("The engine stopped answering."));
  };
  const stopPinging = every(pingEveryMs, ping, () => {});
  try {
    await Promise.race([work, hung.promise]);
  } finally {
    stopPinging();
  }
}

/** Docker's word for each status word of Docker or Podman. */
const statuses: Readonly<Record<string, string>> = {
  created: "created",
  configured: "created",
  initialized: "created",
  running: "running",
  paused: "paused",
  restarting: "restarting",
  stopping: "stopping",
  removing: "stopping",
  stopped: "exited",
  exited: "exited",
  dead: "dead",
};

function toObservation(state: Container["State"]): Observation {
  const status = statuses[state.Status] ?? (state.Running ? "running" : "exited");
  // Podman reports a container as not running while it is being stopped.
  const isAlive = state.Running || state.Status === "stopping" || status === "paused" || status === "restarting";
  const hasEnded = !isAlive && (status !== "created" || state.ExitCode !== 0);
  const startedAt = Date.parse(state.StartedAt ?? "");
  return found({
    isAlive,
    status,
    exitCode: hasEnded ? (state.ExitCode ?? null) : null,
    isOutOfMemory: hasEnded && state.OOMKilled === true,
    isReady: isAlive ? parseReadiness(state.Health?.Status) : null,
    startedAt: startedAt > 0 ? startedAt : null,
  });
}

/** Returns `null` (unknown) without a health check, or if unhealthy: the container may have been ready for days. */
function parseReadiness(health: string | undefined): boolean | null {
  if (health === "healthy") return true;
  return health === "starting" ? false : null;
}

import * as z from "zod/mini";

import type { Config } from "#server/config.ts";
import { type Driver, EngineRefusedError, EngineUnreachableError, type Observation, type Target } from "./driver.ts";
import { type EngineResponse, createEngineClient } from "./engine-client.ts";
import { watchEngine } from "./engine-events.ts";

const inspectMs = 2_000;
/** Together with the look before it less than 10 s. */
const startMs = 7_500;
/** How long a stop may take whose grace only the container knows, and what an engine needs beyond the grace. */
const unknownGraceSeconds = 300;
const marginSeconds = 15;
const pingEveryMs = 3_000;

/** Never longer and never anything that means something in a path. */
export const containerName = /^[A-Za-z0-9][A-Za-z0-9_.-]{1,127}$/;

/** The part of an inspection that is looked at; labels, environment and mounts are not. */
const inspection = z.object({
  Name: z.string(),
  State: z.object({
    Status: z.string(),
    Running: z.boolean(),
    OOMKilled: z.optional(z.boolean()),
    ExitCode: z.optional(z.int()),
    StartedAt: z.optional(z.string()),
    Health: z.optional(z.nullable(z.object({ Status: z.string() }))),
  }),
});
type State = z.output<typeof inspection>["State"];

/** Docker and Podman, or the filter in front of them, by container name. */
export function createDockerDriver({ engineUrl }: Pick<Config, "engineUrl">): Driver {
  const engine = createEngineClient(engineUrl);

  async function look({ ref }: Target): Promise<Observation> {
    if (!containerName.test(ref)) return { kind: "missing" };
    const { status, body } = await engine.request("GET", `/containers/${ref}/json`, inspectMs);
    // 403 is the filter's word for a container that it was not told of.
    if (status === 404 || status === 403) return { kind: "missing" };
    if (status !== 200) return { kind: "unreachable" };
    const { Name, State } = inspection.parse(JSON.parse(body));
    // Engines also take the beginning of an id for a name, and would start somebody else's container.
    return Name === `/${ref}` ? toObservation(State) : { kind: "missing" };
  }

  async function inspect(target: Target): Promise<Observation> {
    try {
      return await look(target);
    } catch {
      return { kind: "unreachable" };
    }
  }

  async function tell(target: Target, action: "start" | "stop", query: string, timeoutMs: number): Promise<void> {
    const { kind } = await inspect(target);
    if (kind === "unreachable") throw new EngineUnreachableError("The engine does not answer.");
    if (kind === "missing") throw new EngineRefusedError("There is no such container.");
    const answer = await engine.request("POST", `/containers/${target.ref}/${action}${query}`, timeoutMs);
    checkAnswer(action, answer);
  }

  return {
    inspect,
    // A paused one is refused: resuming it is not among the calls that the filter lets through.
    start: (target) => tell(target, "start", "", startMs),
    stop(target) {
      const query = target.graceSeconds === null ? "" : `?t=${target.graceSeconds}`;
      const timeoutMs = ((target.graceSeconds ?? unknownGraceSeconds) + marginSeconds) * 1000;
      return failWhenEngineHangs(() => engine.ping(inspectMs), tell(target, "stop", query, timeoutMs));
    },
    watch: (targets, changed, signal) => void watchEngine(engine, inspect, { targets, changed, signal }),
  };
}

/** 304: it already is what it was asked to become. The engine's own texts stay with the engine. */
function checkAnswer(action: string, { status }: EngineResponse): void {
  if (status === 204 || status === 304) return;
  if (status >= 502 && status <= 504) throw new EngineUnreachableError(`The filter cannot reach the engine: ${status}`);
  throw new EngineRefusedError(`The engine refused to ${action}: ${status}`);
}

/** A stop may rightly take minutes; an engine that hangs meanwhile must not hold it up for as long. */
async function failWhenEngineHangs(isAlive: () => Promise<boolean>, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const dead = new Promise<never>((_, reject) => {
    const check = async (): Promise<void> => {
      if (await isAlive()) timer = setTimeout(() => void check(), pingEveryMs);
      else reject(new EngineUnreachableError("The engine stopped answering."));
    };
    timer = setTimeout(() => void check(), pingEveryMs);
  });
  try {
    await Promise.race([work, dead]);
  } finally {
    clearTimeout(timer);
  }
}

/** Docker's words stay; Podman's own are said in Docker's. */
function toObservation(state: State): Observation {
  const words: Record<string, string> = {
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
  const word = words[state.Status] ?? (state.Running ? "running" : "exited");
  // Podman says of a container that is being stopped that it does not run, though it does.
  const isAlive = state.Running || state.Status === "stopping" || word === "paused" || word === "restarting";
  const hasEnded = !isAlive && (word !== "created" || state.ExitCode !== 0);
  const startedAt = Date.parse(state.StartedAt ?? "");
  return {
    kind: "found",
    isAlive,
    word,
    exitCode: hasEnded ? (state.ExitCode ?? null) : null,
    isOutOfMemory: hasEnded && state.OOMKilled === true,
    isReady: isAlive ? parseReadiness(state.Health?.Status) : null,
    startedAt: startedAt > 0 ? startedAt : null,
  };
}

/** An unhealthy server may be up for days: that is no word about being ready. */
function parseReadiness(health: string | undefined): boolean | null {
  if (health === "healthy") return true;
  return health === "starting" ? false : null;
}

import type { IncomingMessage } from "node:http";

import * as z from "zod/mini";

import { every, minutes } from "#server/time.ts";
import type { Observation, Target } from "./driver.ts";
import type { EngineClient } from "./engine-client.ts";
import { poll, type LastObservations, type WatchOptions } from "./poll.ts";

const headersMs = 5_000;
const pingEveryMs = 10_000;
const pingMs = 2_000;
const backoffMs = { first: 250, last: 10_000 };
/** Duration of a stream after which the next wait is short again. */
const steadyMs = 5_000;
/** Interval of inspections while events are not available. */
const pollEveryMs = 700;
const retryRefusedMs = minutes(1);
const maxLineLength = 262_144;

/** Omits all other fields, because labels of containers may hold secrets. */
const event = z.object({
  Action: z.string(),
  Actor: z.object({ Attributes: z.object({ name: z.string(), oldName: z.optional(z.string()) }) }),
});

/**
 * Events only trigger inspections, since engines drop and reorder them. Polls behind the engine filter, which has no
 * events, and while the engine is down.
 */
export async function watchEngine(
  engine: EngineClient,
  inspect: (target: Target) => Promise<Observation>,
  watch: WatchOptions,
): Promise<void> {
  const { changed, signal } = watch;
  const last: LastObservations = new Map();
  let backoff = backoffMs.first;
  while (!signal.aborted) {
    const began = performance.now();
    const outcome = await follow(engine, watch);
    if (signal.aborted) return;
    if (outcome === "ended") {
      changed("all");
      last.clear();
    }
    if (performance.now() - began > steadyMs) backoff = backoffMs.first;
    const waitMs = outcome === "refused" ? retryRefusedMs : Math.round(backoff * (0.75 + Math.random() / 2));
    backoff = Math.min(backoff * 2, backoffMs.last);
    await poll(
      inspect,
      { ...watch, signal: AbortSignal.any([signal, AbortSignal.timeout(waitMs)]) },
      pollEveryMs,
      last,
    );
  }
}

async function follow(
  engine: EngineClient,
  { targets, changed, signal }: WatchOptions,
): Promise<"unreachable" | "refused" | "ended"> {
  const hung = new AbortController();
  const eitherSignal = AbortSignal.any([signal, hung.signal]);
  let stream: IncomingMessage | null;
  try {
    stream = await engine.openStream(
      `/events?filters=${encodeURIComponent('{"type":["container"]}')}`,
      headersMs,
      eitherSignal,
    );
  } catch {
    return "unreachable";
  }
  if (stream === null) return "refused";
  const status = stream.statusCode ?? 0;
  if (status !== 200) {
    stream.destroy();
    return status < 500 ? "refused" : "unreachable";
  }
  changed("all");
  // A hung engine keeps the stream open without sending anything.
  const endIfHung = async (): Promise<void> => void ((await engine.ping(pingMs)) || hung.abort());
  const stopPinging = every(pingEveryMs, endIfHung, () => {});
  try {
    for await (const line of linesOf(stream)) {
      const names = namesIn(line);
      const ids = targets()
        .filter(({ ref }) => names.includes(ref))
        .map(({ id }) => id);
      if (ids.length > 0) changed(ids);
    }
  } catch {
    // The caller inspects all servers again, because events may have been missed.
  } finally {
    stopPinging();
    stream.destroy();
  }
  return "ended";
}

/** Throws on an overlong line, which would fill the memory. */
async function* linesOf(stream: IncomingMessage): AsyncGenerator<string> {
  let rest = "";
  stream.setEncoding("utf8");
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    if (rest.length > maxLineLength) throw new Error("The event is too long.");
    yield* lines;
  }
}

/** Includes the previous name after a renaming. */
function namesIn(line: string): string[] {
  try {
    const { Action, Actor } = event.parse(JSON.parse(line));
    const { name, oldName = "" } = Actor.Attributes;
    // Health checks execute inside a container every few seconds.
    return Action.startsWith("exec_") ? [] : [name, oldName.replace(/^\//, "")];
  } catch {
    return [];
  }
}

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
/** A stream that ends sooner than this does not reset the backoff. */
const steadyMs = 5_000;
/** Without events, it inspects every 700 ms and retries the stream once a minute. */
const pollEveryMs = 700;
const retryRefusedMs = minutes(1);
const maxLineLength = 262_144;

/** Only the names are read: events contain the labels of every container, which may hold secrets. */
const event = z.object({
  Action: z.string(),
  Actor: z.object({ Attributes: z.object({ name: z.string(), oldName: z.optional(z.string()) }) }),
});

/**
 * Follows the engine's events until the signal is aborted. Events only trigger inspections, since engines drop and reorder them.
 * If the filter refuses them or the engine is down, it polls instead.
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

/** Follows one stream from its beginning to its end. */
async function follow(
  engine: EngineClient,
  { targets, changed, signal }: WatchOptions,
): Promise<"unreachable" | "refused" | "ended"> {
  const hung = new AbortController();
  const eitherSignal = AbortSignal.any([signal, hung.signal]);
  let stream: IncomingMessage;
  try {
    stream = await engine.openStream(
      `/events?filters=${encodeURIComponent('{"type":["container"]}')}`,
      headersMs,
      eitherSignal,
    );
  } catch {
    return "unreachable";
  }
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
    // Events may have been missed: everything is inspected again.
  } finally {
    stopPinging();
    stream.destroy();
  }
  return "ended";
}

/** Throws on a line without an end, which would fill the memory. */
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

/** Returns the container's name and, after a renaming, its previous one. */
function namesIn(line: string): string[] {
  try {
    const { Action, Actor } = event.parse(JSON.parse(line));
    const { name, oldName = "" } = Actor.Attributes;
    // Health checks run a program in the container every few seconds.
    return Action.startsWith("exec_") ? [] : [name, oldName.replace(/^\//, "")];
  } catch {
    return [];
  }
}

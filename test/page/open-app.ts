import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";

import { inject } from "vitest";

import type { startApp } from "./app.tsx";

let evaluate: ((require: NodeJS.Require, exports: object, ...globals: unknown[]) => void) | undefined;

/** Ends the page's timers, listeners and requests when `closed` is aborted, as a browser does. */
export async function openApp(closed: AbortSignal, PageSocket: unknown): ReturnType<typeof startApp> {
  const globals = createGlobals(closed);
  evaluate ??= compileFunction(
    readFileSync(inject("pageCode"), "utf8"),
    ["require", "exports", "WebSocket", ...Object.keys(globals)],
    { filename: inject("pageCode") },
  ) as NonNullable<typeof evaluate>;
  const stops = [globalThis, document].map((target) => endListeners(target, closed));
  try {
    const code = {} as { startApp: typeof startApp };
    evaluate(createRequire(import.meta.url), code, PageSocket, ...Object.values(globals));
    return await code.startApp();
  } finally {
    for (const stop of stops) stop();
  }
}

/** Returns the global names of a page, instead of those of the tests and the server. */
function createGlobals(closed: AbortSignal) {
  const timers: (NodeJS.Timeout | number)[] = [];
  closed.addEventListener("abort", () => timers.forEach((timer) => clearTimeout(timer)));
  const endTimer =
    (name: "setTimeout" | "setInterval") =>
    (...args: Parameters<typeof setTimeout>) => {
      const timer = closed.aborted ? 0 : globalThis[name](...args);
      timers.push(timer);
      return timer;
    };
  return {
    setTimeout: endTimer("setTimeout"),
    setInterval: endTimer("setInterval"),
    fetch: (...request: Parameters<typeof fetch>) =>
      new Promise<Response>((resolve, reject) => {
        if (closed.aborted) return;
        fetch(...request).then(
          (response) => closed.aborted || resolve(response),
          (error: unknown) => closed.aborted || reject(error as Error),
        );
      }),
    BroadcastChannel: class extends BroadcastChannel {
      constructor(name: string) {
        super(name);
        closed.addEventListener("abort", () => this.close());
      }

      override postMessage(message: unknown): void {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin than ours
        if (!closed.aborted) super.postMessage(message);
      }
    },
  };
}

/** Listeners that are added to `target` end with `closed`, until the returned function is called. */
function endListeners(target: EventTarget, closed: AbortSignal): () => void {
  const { addEventListener } = target;
  target.addEventListener = (type, listener, options) => {
    const { signal = closed, ...others } = typeof options === "object" ? options : { capture: options ?? false };
    addEventListener.call(target, type, listener, { ...others, signal: AbortSignal.any([signal, closed]) });
  };
  return () => {
    target.addEventListener = addEventListener;
  };
}

import { setTimeout } from "node:timers/promises";

import { seconds } from "#server/time.ts";

import { indexChannels, signSignIn, signSubscription } from "./channels.ts";
import type { RealtimeOptions } from "./options.ts";
import type { Realtime } from "./realtime.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { signedQuery } from "./signatures.ts";

/** Calls that wait for a slow service; beyond it the oldest are dropped, and pages read the state when they reconnect. */
const maxWaiting = 1_000;
const attempts = 2;
const drainWithin = seconds(2);

export interface HostedOptions extends Pick<
  RealtimeOptions,
  "key" | "secret" | "appId" | "headers" | "clock" | "log" | "channels"
> {
  /** Origin of the service's HTTP API, e.g. `https://api-eu.pusher.com`. */
  readonly origin: string;
  readonly timeoutMs?: number;
}

/**
 * Publishes through a hosted or self-hosted Pusher-compatible service. The sockets are there, so signatures are given without
 * knowing them, and a socket ends with its session only if the page signed in (`pusher:signin`).
 */
export function createHostedRealtime(options: HostedOptions): Realtime {
  const { log } = options;
  const channels = indexChannels(options.channels);
  const waiting: { path: string; body: string }[] = [];
  let sending: Promise<void> | null = null;
  let isClosed = false;

  function enqueue(path: string, body: object): void {
    if (isClosed) return;
    if (waiting.length >= maxWaiting) waiting.shift();
    waiting.push({ path: `/apps/${options.appId}${path}`, body: JSON.stringify(body) });
    sending ??= sendAll().finally(() => {
      sending = null;
    });
  }

  /** One call after the other, so that events arrive in order. */
  async function sendAll(): Promise<void> {
    for (let call = waiting.shift(); call; call = waiting.shift()) {
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const result = await post(call.path, call.body);
        if (result === "done") break;
        log.warn("realtime-service-failed", { path: call.path, attempt, result });
        if (result === "refused") break;
      }
    }
  }

  async function post(path: string, body: string): Promise<"done" | "refused" | "failed"> {
    const timestamp = Math.floor(options.clock.now() / 1000);
    const query = signedQuery(options, { method: "POST", path, body, seconds: timestamp });
    const url = `${options.origin}${path}?${query}`;
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(options.timeoutMs ?? seconds(3)),
      });
      await response.body?.cancel();
      if (response.ok) return "done";
      return response.status < 500 ? "refused" : "failed";
    } catch {
      return "failed";
    }
  }

  async function drain(): Promise<void> {
    await Promise.race([sending, setTimeout(drainWithin, undefined, { ref: false })]);
  }

  return {
    handleUpgrade: (_request, socket) => refuseUpgrade(socket, 404, options.headers),
    publish: (name, channel, data) => enqueue("/events", { name, channel, data: JSON.stringify(data) }),
    hasChannel: (name) => channels.has(name),
    authorizeChannel: (request, access) => signSubscription(options, channels, request, access),
    authenticateUser: (socketId, access) => signSignIn(options, socketId, access),
    accessChanged: (scope) => {
      if ("userId" in scope) enqueue(`/users/${scope.userId}/terminate_connections`, {});
      return Promise.resolve();
    },
    sessionRotated: () => {},
    drain,
    close: async () => {
      isClosed = true;
      await drain();
    },
  };
}

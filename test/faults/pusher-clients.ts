// Simulates the open pages of reconnect-storm.test.ts in a separate process. Every page uses
// pusher-js and reconnects after 2, 4, 8 … seconds, at most 30, with a jitter of 50 %. Takes
// `PusherClientOptions` as JSON argument, and prints a `PusherClientState` as a JSON line after
// every change.
import { Agent, request } from "node:http";

import PusherModule from "pusher-js";

export interface PusherClientOptions {
  readonly port: number;
  readonly count: number;
  readonly headers: readonly Record<string, string>[];
}

/** `joined`: number of pages that are subscribed; `refused`: number of refused calls by status. */
export interface PusherClientState {
  readonly joined: number;
  readonly refused: Record<string, number>;
  /** Milliseconds of the slowest channel authorisation so far. */
  readonly slowestAuth: number;
}

const { port, count, headers } = JSON.parse(process.argv[2] ?? "") as PusherClientOptions;
// The bundle for Node is CommonJS, although its type declares an ES module.
const Pusher = PusherModule as unknown as typeof PusherModule.default;
const agent = new Agent({ keepAlive: true, maxSockets: 50 });
const refused: Record<string, number> = {};
const listening = new Set<number>();
let slowestAuth = 0;
let isTold = true;

function printState(): void {
  if (!isTold) return;
  isTold = false;
  setTimeout(() => {
    isTold = true;
    process.stdout.write(
      `${JSON.stringify({ joined: listening.size, refused, slowestAuth } satisfies PusherClientState)}\n`,
    );
  }, 20);
}

for (let index = 0; index < count; index += 1) connectClient(index);

function connectClient(index: number): void {
  const session = headers[index % headers.length]!;
  const pusher = new Pusher("stammtisch", {
    cluster: "eu",
    wsHost: "localhost",
    wsPort: port,
    forceTLS: false,
    enabledTransports: ["ws"],
    disableStats: true,
    channelAuthorization: {
      transport: "ajax",
      endpoint: "",
      customHandler: ({ socketId, channelName }, callback) => {
        const began = performance.now();
        const form = new URLSearchParams({ socket_id: socketId, channel_name: channelName }).toString();
        const asked = request(
          {
            method: "POST",
            host: "127.0.0.1",
            port,
            agent,
            path: "/broadcasting/auth",
            headers: { ...session, "content-type": "application/x-www-form-urlencoded", "content-length": form.length },
          },
          (response) => {
            let text = "";
            response.on("data", (chunk: Buffer) => (text += chunk.toString()));
            response.on("end", () => {
              slowestAuth = Math.max(slowestAuth, performance.now() - began);
              if (response.statusCode === 200) return callback(null, JSON.parse(text));
              refused[String(response.statusCode)] = (refused[String(response.statusCode)] ?? 0) + 1;
              callback(new Error(text), null);
            });
          },
        );
        asked.on("error", (error) => callback(error, null));
        asked.end(form);
      },
    },
  });
  let attempts = 0;
  function retryLater(): void {
    const pause = Math.min(30_000, 2000 * 2 ** attempts) * (0.5 + Math.random());
    attempts += 1;
    setTimeout(() => {
      if (pusher.connection.state === "connected") return;
      pusher.disconnect();
      pusher.connect();
      retryLater();
    }, pause);
  }
  pusher.connection.bind("connected", () => (attempts = 0));
  pusher.connection.bind("state_change", ({ previous }: { previous: string }) => {
    if (previous !== "connected") return;
    listening.delete(index);
    printState();
    retryLater();
  });
  pusher.subscribe("private-beercounter").bind("pusher:subscription_succeeded", () => {
    listening.add(index);
    printState();
  });
}

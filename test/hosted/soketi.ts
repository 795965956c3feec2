import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { WebSocket } from "ws";

import { endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { freePort } from "#test/free-port.ts";
import { createSocketClient, type SocketClient } from "#test/socket.ts";

const [appId, key, secret] = ["stammtisch", "soketi-key", "soketi-secret"];

/** A running soketi, a Pusher-compatible service. It is killed after the test. */
export interface Soketi {
  readonly port: number;
  readonly key: string;
  /** The value of REALTIME_URL for this service. */
  readonly url: string;
  /** Suspends the process: sockets remain open, but nothing is answered. */
  suspend(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Starts the service again, on the same port. */
  start(): Promise<void>;
}

/** Starts the soketi that `npm run test:hosted` has installed, on a free port. */
export async function startSoketi(): Promise<Soketi> {
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const packages = join(process.env["SOKETI"] ?? "", "node_modules");
    const node = join(packages, `node-linux-${process.arch}`, "bin/node");
    child = spawn(node, [join(packages, "@soketi/soketi/bin/server.js"), "start"], {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        SOKETI_HOST: "127.0.0.1",
        SOKETI_PORT: String(port),
        SOKETI_DEFAULT_APP_ID: appId,
        SOKETI_DEFAULT_APP_KEY: key,
        SOKETI_DEFAULT_APP_SECRET: secret,
        SOKETI_DEFAULT_APP_USER_AUTHENTICATION: "true",
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += String(chunk)));
    const failed = once(child, "exit").then(() => Promise.reject(new Error(`soketi has ended: ${output}`)));
    failed.catch(() => {});
    await Promise.race([untilReady(port), failed]);
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  endWithTest(kill);
  await start();
  return {
    port,
    key,
    url: `pusher://${key}:${secret}@127.0.0.1:${port}/${appId}`,
    suspend: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    kill,
    start,
  };
}

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Opens a socket to the service, which is anonymous until it subscribes. */
export function connectTo({ port }: Soketi): Promise<SocketClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/${key}?protocol=7`);
  return createSocketClient(socket, { hasChannel: () => true });
}

/** Opens a socket as a member's page does: signed in, and subscribed to the channel of the counter. */
export async function connectMember(soketi: Soketi, member: Client): Promise<SocketClient> {
  const socket = await connectTo(soketi);
  socket.send("pusher:signin", (await member.post("/broadcasting/user-auth", { socket_id: socket.id })).json);
  await socket.next("pusher:signin_success");
  const channel = "private-beercounter";
  const signature = await member.post("/broadcasting/auth", { socket_id: socket.id, channel_name: channel });
  await socket.subscribe(channel, signature.json);
  return socket;
}

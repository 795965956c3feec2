// Simulates the open pages of the fan-out measurement, in a separate process. Opens as many sockets
// to our server as to the baseline; those to our server subscribe to the counter's channel. Taps
// beers on both servers alternately and records when each socket received the event. Takes a
// `FanoutLoad` as JSON argument and prints a `FanoutResult` as JSON.
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

import { WebSocket } from "ws";

export interface FanoutLoad {
  readonly sockets: number;
  readonly events: number;
  readonly app: Target;
  readonly baseline: Target;
}

export interface Target {
  readonly port: number;
  /** Headers of a logged-in member's requests; empty for the baseline. */
  readonly headers: Record<string, string>;
}

/**
 * Milliseconds from sending a tap until 50 % (`p50`) and 99 % (`p99`) of the sockets have received
 * the event, one number per tap.
 */
export interface FanoutResult {
  readonly app: { readonly p50: number[]; readonly p99: number[] };
  readonly baseline: { readonly p50: number[]; readonly p99: number[] };
}

const load = JSON.parse(process.argv[2] ?? "") as FanoutLoad;
const agent = new Agent({ keepAlive: true, maxSockets: 20 });
/**
 * A pong frame for answering pings, because the WebSocket client no longer reads from the socket.
 */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
const textFrame = 0x81;
const pingFrame = 0x89;
const timeoutMs = 10_000;

const app = await openAll(load.app, true);
const baseline = await openAll(load.baseline, false);
const result: FanoutResult = { app: { p50: [], p99: [] }, baseline: { p50: [], p99: [] } };
for (let event = 0; event < load.events; event += 1) {
  addTimes(result.baseline, await tap(load.baseline, baseline));
  await sleep(30);
  addTimes(result.app, await tap(load.app, app));
  await sleep(30);
}
process.stdout.write(JSON.stringify(result), () => process.exit(0));

async function openAll(target: Target, joins: boolean): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const atOnce = 20;
  while (sockets.length < load.sockets) {
    const count = Math.min(atOnce, load.sockets - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: count }, async () => open(target, joins)))));
  }
  return sockets;
}

/**
 * Opens a socket with a real WebSocket client, then reads the raw socket directly, because the
 * client's processing would distort the times.
 */
async function open(target: Target, joins: boolean): Promise<Socket> {
  const socket = connect({ port: target.port, host: "127.0.0.1" });
  const url = `ws://127.0.0.1:${target.port}/app/stammtisch?protocol=7`;
  const page = new WebSocket(url, {
    headers: target.headers,
    perMessageDeflate: false,
    createConnection: () => socket,
  });
  await new Promise<void>((resolve, reject) => {
    page.on("error", reject);
    if (!joins) page.on("open", () => resolve());
    page.on("message", (message: Buffer) => {
      const { event, data } = JSON.parse(message.toString()) as { event: string; data: string };
      if (event === "pusher:connection_established")
        void join(page, (JSON.parse(data) as { socket_id: string }).socket_id);
      if (event === "pusher_internal:subscription_succeeded") resolve();
    });
  });
  socket.removeAllListeners("data");
  return socket;

  async function join(joining: WebSocket, socket_id: string): Promise<void> {
    const channel = "private-beercounter";
    const answer = await post(target, "/broadcasting/auth", JSON.stringify({ socket_id, channel_name: channel }));
    joining.send(JSON.stringify({ event: "pusher:subscribe", data: { ...(JSON.parse(answer) as object), channel } }));
  }
}

/**
 * Books one beer and waits until every socket has received the event. Returns the milliseconds that
 * each socket waited, in ascending order.
 */
async function tap(target: Target, sockets: readonly Socket[]): Promise<number[]> {
  const times: number[] = [];
  const began = performance.now();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${times.length} of ${sockets.length} got the event`)), timeoutMs);
    for (const socket of sockets) {
      socket.removeAllListeners("data").on("data", (chunk: Buffer) => {
        const isPinged = chunk[0] === pingFrame;
        if (isPinged) socket.write(pong);
        // Skips a ping frame of two bytes in front of the event.
        if (chunk[isPinged ? 2 : 0] !== textFrame) return;
        times.push(performance.now() - began);
        if (times.length < sockets.length) return;
        clearTimeout(timer);
        resolve();
      });
    }
    post(target, "/api/beercounter/counters", "").catch(reject);
  });
  return times;
}

function addTimes(to: { p50: number[]; p99: number[] }, times: readonly number[]): void {
  to.p50.push(times[Math.floor(times.length * 0.5)]!);
  to.p99.push(times[Math.floor(times.length * 0.99)]!);
}

function post({ port, headers }: Target, path: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const own = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "idempotency-key": randomUUID(),
    };
    const options = { method: "POST", host: "127.0.0.1", port, path, agent, headers: { ...headers, ...own } };
    const asked = request(options, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

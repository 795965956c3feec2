import { EventEmitter } from "node:events";

import type { Client } from "pg";

import { loadPg } from "#server/db/load-pg.ts";
import type { Log } from "#server/platform/log.ts";
import { every, seconds } from "#server/time.ts";
import { type Bus, type BusMessage, createInstanceId } from "./bus.ts";
import { isRecord, parseJson } from "./protocol.ts";

const defaultChannel = "stammtisch";

/**
 * Maximum bytes of a message with its envelope; PostgreSQL refuses notifications of 8,000 bytes or
 * more.
 */
const maxPayloadBytes = 7_500;
const maxQueued = 1_000;
const perStatement = 100;
const keepAliveInterval = seconds(15);
const slowestReconnect = seconds(5);

interface Envelope {
  readonly payload: string;
  readonly done: () => void;
}

/**
 * Creates a bus over PostgreSQL's LISTEN and NOTIFY on a dedicated connection, which must not go
 * through a transaction pooler. While the connection is down, messages of other instances are lost,
 * so every reconnect reports a gap; this instance's messages are queued.
 */
export function createPostgresBus(options: { databaseUrl: string; log: Log; channel?: string }): Bus {
  const instance = createInstanceId();
  const channel = options.channel ?? defaultChannel;
  const events = new EventEmitter<{ message: [message: BusMessage, from: string]; gap: [] }>();
  const queue: Envelope[] = [];
  const pg = loadPg();
  let client: Client | null = null;
  let isSending = false;
  let isClosed = false;
  let failures = 0;
  const lost = new WeakSet<Client>();
  let reconnect: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: "stammtisch bus",
      keepAlive: true,
      connectionTimeoutMillis: seconds(5),
      query_timeout: seconds(5),
    });
    const onConnectionLost = (error?: Error): void => handleLoss(next, error);
    next.on("error", onConnectionLost);
    next.on("end", () => onConnectionLost());
    next.on("notification", ({ payload }) => receive(payload ?? ""));
    try {
      await next.connect();
      await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      return handleLoss(next, error);
    }
    if (isClosed) return void next.end();
    client = next;
    failures = 0;
    events.emit("gap");
    void flush();
  }

  function handleLoss(which: Client, error: unknown): void {
    if (lost.has(which)) return;
    lost.add(which);
    if (client === which) client = null;
    which.end().catch(() => {});
    if (isClosed) return;
    options.log.warn("bus-connection-lost", { error: String(error) });
    failures += 1;
    const pause = Math.min(slowestReconnect, 50 * 2 ** failures) * (0.5 + Math.random());
    reconnect = setTimeout(() => void connect(), pause);
  }

  function receive(payload: string): void {
    const envelope = parseJson(payload);
    if (!isRecord(envelope) || typeof envelope["i"] !== "string" || envelope["i"] === instance) return;
    if (!isRecord(envelope["m"])) return;
    // The cast is safe: the sender is another process of this program, on the same database.
    const message = envelope["m"] as unknown as BusMessage;
    if (message.kind === "resync") events.emit("gap");
    else events.emit("message", message, envelope["i"]);
  }

  /** Sends all queued messages in order, up to 100 with one SQL statement. */
  async function flush(): Promise<void> {
    const sender = client;
    if (!sender || isSending || queue.length === 0) return;
    isSending = true;
    const batch = queue.slice(0, perStatement);
    try {
      const payloads = batch.map((envelope) => envelope.payload);
      await sender.query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [channel, payloads]);
      for (const envelope of queue.splice(0, batch.length)) envelope.done();
    } catch (error) {
      handleLoss(sender, error);
    }
    isSending = false;
    await flush();
  }

  function wrapMessage(message: BusMessage): string {
    return JSON.stringify({ i: instance, m: message });
  }

  async function checkConnection(): Promise<void> {
    const checked = client;
    await checked?.query("SELECT 1").catch((error: unknown) => handleLoss(checked, error));
  }

  const stopChecking = every(keepAliveInterval, checkConnection, () => {});
  void connect();

  return {
    instance,
    reachesOthers: true,
    send: (message) => {
      if (isClosed) return Promise.resolve();
      const isOverflowing = queue.length >= maxQueued;
      // Replaces the dropped messages by a `resync`, which makes the other instances read the
      // database.
      if (isOverflowing) for (const envelope of queue.splice(isSending ? perStatement : 0)) envelope.done();
      const payload = wrapMessage(message);
      const isTooLong = Buffer.byteLength(payload) > maxPayloadBytes;
      return new Promise((done) => {
        if (isOverflowing) queue.push({ payload: wrapMessage({ kind: "resync" }), done: () => {} });
        queue.push({ payload: isTooLong ? wrapMessage({ kind: "resync" }) : payload, done });
        void flush();
      });
    },
    onMessage: (listener) => void events.on("message", listener),
    onGap: (listener) => void events.on("gap", listener),
    close: async () => {
      isClosed = true;
      stopChecking();
      clearTimeout(reconnect);
      await client?.end().catch(() => {});
      for (const envelope of queue.splice(0)) envelope.done();
    },
  };
}

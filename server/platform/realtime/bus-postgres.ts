import { Client, escapeIdentifier } from "pg";

import type { Log } from "#server/platform/log.ts";
import { every } from "#server/time.ts";

import { createInstanceId } from "./bus.ts";
import type { Bus, BusMessage } from "./bus.ts";
import { isRecord, parseJson } from "./protocol.ts";

const defaultChannel = "stammtisch";

/** PostgreSQL refuses 8,000 bytes; the envelope is counted in. */
const maxPayloadBytes = 7_500;
const maxQueued = 1_000;
const perStatement = 100;
const keepAliveEvery = 15_000;
const slowestReconnect = 5_000;

interface Envelope {
  readonly payload: string;
  readonly done: () => void;
}

/**
 * The bus over LISTEN/NOTIFY, on one connection of its own (not through a transaction pooler). What the others said while
 * that connection was down is lost, so every new connection reports a gap; what we say waits for it.
 */
export function createPostgresBus(options: { databaseUrl: string; log: Log; channel?: string }): Bus {
  const instance = createInstanceId();
  const channel = options.channel ?? defaultChannel;
  const messageListeners: ((message: BusMessage, from: string) => void)[] = [];
  const gapListeners: (() => void)[] = [];
  const queue: Envelope[] = [];
  let client: Client | null = null;
  let isSending = false;
  let isClosed = false;
  let failures = 0;
  const lost = new WeakSet<Client>();
  let reconnect: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new Client({
      connectionString: options.databaseUrl,
      application_name: "stammtisch bus",
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    });
    const onLost = (error?: Error): void => lose(next, error);
    next.on("error", onLost);
    next.on("end", () => onLost());
    next.on("notification", ({ payload }) => receive(payload ?? ""));
    try {
      await next.connect();
      await next.query(`LISTEN ${escapeIdentifier(channel)}`);
    } catch (error) {
      return lose(next, error);
    }
    if (isClosed) return void next.end();
    client = next;
    failures = 0;
    for (const listener of gapListeners) listener();
    void flush();
  }

  function lose(which: Client, error: unknown): void {
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
    // Written by this same code in another process on our own database.
    const message = envelope["m"] as unknown as BusMessage;
    for (const listener of messageListeners) listener(message, envelope["i"]);
  }

  /** Everything that waits goes in one statement, in order. */
  async function flush(): Promise<void> {
    const sender = client;
    if (!sender || isSending || queue.length === 0) return;
    isSending = true;
    const batch = queue.slice(0, perStatement);
    try {
      const payloads = batch.map((letter) => letter.payload);
      await sender.query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", [channel, payloads]);
      for (const letter of queue.splice(0, batch.length)) letter.done();
    } catch (error) {
      lose(sender, error);
    }
    isSending = false;
    await flush();
  }

  function envelop(message: BusMessage): string {
    return JSON.stringify({ i: instance, m: message });
  }

  async function checkConnection(): Promise<void> {
    const checked = client;
    await checked?.query("SELECT 1").catch((error: unknown) => lose(checked, error));
  }

  const stopChecking = every(keepAliveEvery, checkConnection, () => {});
  void connect();

  return {
    instance,
    reachesOthers: true,
    send: (message) => {
      if (isClosed) return Promise.resolve();
      const isOverflowing = queue.length >= maxQueued;
      // What is left out here can be read from the database: the others are told to do so.
      if (isOverflowing) for (const letter of queue.splice(isSending ? perStatement : 0)) letter.done();
      const payload = envelop(message);
      const isTooLong = Buffer.byteLength(payload) > maxPayloadBytes;
      return new Promise((done) => {
        if (isOverflowing) queue.push({ payload: envelop({ kind: "resync" }), done: () => {} });
        queue.push({ payload: isTooLong ? envelop({ kind: "resync" }) : payload, done });
        void flush();
      });
    },
    onMessage: (listener) => {
      messageListeners.push(listener);
    },
    onGap: (listener) => {
      gapListeners.push(listener);
    },
    close: async () => {
      isClosed = true;
      stopChecking();
      clearTimeout(reconnect);
      await client?.end().catch(() => {});
      for (const letter of queue.splice(0)) letter.done();
    },
  };
}

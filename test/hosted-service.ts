import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { expect, type Mock, vi } from "vitest";

import type { Db } from "#server/db/connect.ts";
import { systemClock } from "#server/platform/clock.ts";
import { createLocalLeases } from "#server/platform/leases/leases.ts";
import type { Bus } from "#server/platform/realtime/bus.ts";
import { createHostedService } from "#server/platform/realtime/hosted-service.ts";
import { createHostedRealtime } from "#server/platform/realtime/hosted.ts";
import { endWithTest } from "./cleanup.ts";
import { createConnectedBuses } from "./connected-buses.ts";
import { createSqliteDatabase } from "./database.ts";
import { noDatabase } from "./realtime-test-server.ts";

export const key = "278d425bdf160c739803";
export const secret = "7ad3773142a6692b25b8";

export type Answer =
  | number
  | "hang"
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: object };

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly events: readonly { name: string; channel: string; data: string }[];
  readonly isSigned: boolean;
  /** Milliseconds since the previous call. */
  readonly after: number;
}

interface ServiceOptions {
  readonly sweepEvery?: number;
  readonly retryAfterMs?: number;
  readonly endAgainAfterMs?: number;
  /** Database of an earlier server. */
  readonly db?: Db;
  /** Number of calls that the service gets at the start; default: 1. */
  readonly callsAtStart?: number;
}

async function openDatabase(): Promise<Db> {
  const database = await createSqliteDatabase();
  endWithTest(database.close);
  return database.db;
}

/**
 * Opens a fake hosted service that records all calls. It answers with the given statuses, then with
 * 200.
 */
export async function openHostedService(expected: readonly Answer[] = [], options: ServiceOptions = {}) {
  const answers: Answer[] = [];
  /** Answers to questions for the number of subscriptions. */
  const counts: Answer[] = [];
  const [bus, commandLine, otherInstance] = createConnectedBuses(3) as unknown as [Bus, Bus, Bus];
  const told: Call[] = [];
  let lastCall = performance.now();
  const server = createServer((request, response) => void answerTo(request, response));

  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const url = new URL(request.url ?? "", "http://service");
    const signature = url.searchParams.get("auth_signature");
    url.searchParams.delete("auth_signature");
    url.searchParams.sort();
    const signed = `${request.method}\n${url.pathname}\n${decodeURIComponent(String(url.searchParams))}`;
    const hash = body === "" ? null : createHash("md5").update(body).digest("hex");
    const isSigned =
      signature === createHmac("sha256", secret).update(signed).digest("hex") &&
      url.searchParams.get("body_md5") === hash &&
      url.searchParams.get("auth_timestamp") === "1353088179";
    const after = performance.now() - lastCall;
    lastCall = performance.now();
    const events = body === "" ? [] : (JSON.parse(body).batch ?? []);
    told.push({ method: String(request.method), path: url.pathname, events, isSigned, after });
    const answer = (request.method === "GET" ? counts : answers).shift() ?? 200;
    if (answer === "hang") return;
    const { status, headers = {}, body: reply = {} } = typeof answer === "number" ? { status: answer } : answer;
    response.writeHead(status, headers).end(JSON.stringify(reply));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const logged: Mock = vi.fn();
  const log = { debug: logged, info: logged, warn: logged, error: logged };
  const db = options.db ?? (await openDatabase());
  const service = createHostedService({
    db,
    key,
    secret,
    appId: "3",
    origin: `http://127.0.0.1:${port}`,
    clock: { ...systemClock, now: () => 1353088179_000 },
    log,
    timeoutMs: expected.includes("hang") ? 500 : 10_000,
    retryAfterMs: options.retryAfterMs ?? 1,
    endAgainAfterMs: options.endAgainAfterMs ?? 1,
  });
  let version = 0;
  const resync = async () => ({ event: "updated", data: { version } });
  const realtime = createHostedRealtime({
    key,
    secret,
    service,
    leases: createLocalLeases(),
    headers: {},
    log,
    bus,
    channels: [
      { name: "private-beercounter", state: async () => ({ version: 3 }), resync },
      { name: "private-game-servers", permission: "see-game-servers" },
    ],
    timings: { sweepEvery: options.sweepEvery ?? 60_000, messageWait: 1 },
  });
  await expect.poll(() => told.filter(({ method }) => method === "POST")).toHaveLength(options.callsAtStart ?? 1);
  // Until the answer, events would wait for one batch.
  await realtime.drain();
  const toldAtStart = told.splice(0);
  answers.push(...expected);
  version = 9;
  endWithTest(async () => {
    await realtime.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const publish = (event: string, data: object) =>
    void realtime.publish(noDatabase, event, "private-beercounter", data);
  /** Returns the data of all events, in the order in which the service got them. */
  const published = () => told.flatMap(({ events }) => events.map(({ data }) => JSON.parse(data)));
  /** Returns the numbers of events in the calls. */
  const batches = () => told.filter(({ path }) => path.endsWith("/batch_events")).map(({ events }) => events.length);
  return { db, commandLine, otherInstance, toldAtStart, told, realtime, logged, counts, publish, published, batches };
}

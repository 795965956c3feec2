import { expect, test } from "vitest";
import { WebSocket } from "ws";

import { createTestApp, type TestApp } from "#test/test-app.ts";

const proxied = { TRUST_PROXY: "127.0.0.1,10.0.0.1" };
const socketNetwork = "127.0.0.0/24";

const invalidAddresses = [
  ["a word", "unknown"],
  ["three numbers", "1.2.3"],
  ["an IPv4 address with a port", "1.2.3.4:5678"],
  ["an IPv6 address with a port", "[::1]:80"],
  ["an IPv6 address in brackets", "[2001:db8::1]"],
  ["an IPv6 address with two gaps", "::1::2"],
  ["an IPv6 address of nine groups", "1:2:3:4:5:6:7:8:9"],
  ["an IPv6 address with a zone", "fe80::1%a:b:c:d:e:f:g:h:i"],
  ["3000 characters", "x".repeat(3000)],
  ["a list that ends in a word", "192.0.2.7, unknown"],
  ["a list with a word before the second proxy", "unknown, 10.0.0.1"],
];

const loggedNetworks = (app: TestApp, event: string) =>
  app.logLines.filter((line) => line.event === event).map(({ fields }) => fields["network"]);

async function openSocket({ url }: TestApp, forwarded: string): Promise<void> {
  const headers = { host: "localhost:3000", "x-forwarded-for": forwarded };
  const socket = new WebSocket(`${url}/else`, { headers });
  await new Promise<void>((resolve) => socket.once("error", () => resolve()));
}

test.each(invalidAddresses)(
  "the server uses the socket's address for a request that a trusted proxy forwards with %s as the client's address",
  async (_, forwarded) => {
    const app = await createTestApp(proxied);
    const client = app.createClient({ "x-forwarded-for": forwarded });
    expect((await client.get("/api/config")).status).toBe(200);
    expect((await client.get("/api/unknown")).status).toBe(404);
    expect(loggedNetworks(app, "request")).toEqual([socketNetwork, socketNetwork]);
  },
);

test.each(invalidAddresses)(
  "the server uses the socket's address for a WebSocket upgrade that a trusted proxy forwards with %s as the client's address",
  async (_, forwarded) => {
    const app = await createTestApp(proxied);
    await openSocket(app, forwarded);
    expect(loggedNetworks(app, "upgrade-refused")).toEqual([socketNetwork]);
  },
);

test.each([
  ["192.0.2.77", "192.0.2.0/24"],
  ["unknown, 192.0.2.77", "192.0.2.0/24"],
  ["192.0.2.77, 10.0.0.1", "192.0.2.0/24"],
  ["2001:db8:1:2::3", "2001:db8:1::/48"],
])(
  "the log entry of an HTTP or WebSocket request that a proxy forwarded for %s contains the network %s",
  async (forwarded, network) => {
    const app = await createTestApp(proxied);
    await app.createClient({ "x-forwarded-for": forwarded }).get("/api/config");
    await openSocket(app, forwarded);
    expect(loggedNetworks(app, "request")).toEqual([network]);
    expect(loggedNetworks(app, "upgrade-refused")).toEqual([network]);
  },
);

test("clients behind a proxy that forwards no valid address share one rate limit", async () => {
  const app = await createTestApp({ ...proxied, RATE_LIMIT_FACTOR: "0.1" });
  const statuses = [];
  for (let index = 0; index < 8; index++) {
    const client = app.createClient({ "x-forwarded-for": `10.3.${index}.1:4711` });
    statuses.push((await client.send("POST", "/api/logout")).status);
  }
  expect(statuses).toEqual([419, 419, 419, 419, 419, 419, 429, 429]);
});

test("a proxy that forwards no valid address is logged once, without the forwarded text", async () => {
  const app = await createTestApp(proxied);
  const warnings = () => app.logLines.filter(({ level }) => level === "warn");
  await app.createClient({ "x-forwarded-for": "192.0.2.7" }).get("/healthz");
  await app.createClient().get("/healthz");
  expect(warnings()).toEqual([]);
  await app.createClient({ "x-forwarded-for": "1.2.3.4:5678" }).get("/healthz");
  await app.createClient({ "x-forwarded-for": "unknown" }).get("/healthz");
  await openSocket(app, "unknown");
  const reason = expect.stringContaining("X-Forwarded-For");
  expect(warnings()).toEqual([
    { level: "warn", event: "forwarded-address-invalid", fields: { network: socketNetwork, reason } },
  ]);
});

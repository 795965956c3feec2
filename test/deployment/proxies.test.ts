// Tests the example configurations of Caddy and nginx, each in front of a real server.
import { request as plainRequest } from "node:http";
import { brotliDecompressSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { startServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { type Answer, answerOf, ask, type Proxy, site, startCaddy, startNginx } from "./proxies.ts";

const proxies = {
  Caddy: { start: startCaddy, ports: [18_080, 18_443] },
  nginx: { start: startNginx, ports: [18_081, 18_444] },
} as const;

describe.each(["Caddy", "nginx"] as const)("%s with the example file", (name) => {
  let server: ServerProcess;
  let proxy: Proxy;
  const { start, ports } = proxies[name];

  beforeAll(async () => {
    const env = { APP_URL: `https://${site}:${ports[1]}`, TRUST_PROXY: "127.0.0.1", RATE_LIMIT_FACTOR: "1" };
    server = await startServerProcess({ env });
    proxy = await start([server.port], ports);
  });
  afterAll(async () => {
    proxy?.stop();
    await server?.[Symbol.asyncDispose]();
  });

  test("the proxy serves pages and API calls only over TLS, and sends no cookie over plain http", async () => {
    const page = await ask(proxy, "GET", "/");
    expect(page.status).toBe(200);
    expect(page.headers["strict-transport-security"]).toBe("max-age=31536000");
    const cookies = (await ask(proxy, "GET", "/sanctum/csrf-cookie")).headers["set-cookie"] ?? [];
    expect(cookies.length).toBe(2);
    for (const cookie of cookies) expect(cookie).toMatch(/; Secure/);

    const led = await askPlainly(proxy, "/beercounter");
    expect([led.status, led.headers.location]).toEqual([308, expect.stringContaining(`https://${site}`)]);
    const refused = await askPlainly(proxy, "/api/checkLoginStatus");
    expect([refused.status, refused.headers["set-cookie"]]).toEqual([403, undefined]);
  });

  test("clients cannot bypass the login throttle by forging their address in X-Forwarded-For", async () => {
    const cookies = (await ask(proxy, "GET", "/sanctum/csrf-cookie")).headers["set-cookie"]!.map(
      (one) => one.split(";")[0]!,
    );
    const token = decodeURIComponent(cookies.find((one) => one.startsWith("XSRF-TOKEN="))!.slice("XSRF-TOKEN=".length));
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const forged = `203.0.113.${attempt}`;
      const headers = {
        cookie: cookies.join("; "),
        "x-xsrf-token": token,
        "content-type": "application/json",
        "x-forwarded-for": forged,
        "x-real-ip": forged,
        forwarded: `for=${forged}`,
      };
      const body = JSON.stringify({ uname: "anna", password: "falsch-und-falsch" });
      statuses.push((await ask(proxy, "POST", "/api/login", headers, body)).status);
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
  });

  test("the proxy passes the app's compressed and uncompressed answers on unchanged", async () => {
    const page = await ask(proxy, "GET", "/", { "accept-encoding": "gzip, deflate, br, zstd" });
    expect(page.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(page.bytes).toString()).toBe((await ask(proxy, "GET", "/")).text);
    // The app does not support zstd, and answers uncompressed.
    const plain = await ask(proxy, "GET", "/", { "accept-encoding": "zstd" });
    expect([plain.status, plain.headers["content-encoding"]]).toEqual([200, undefined]);
  });

  test("the proxy forwards the upgrade to a WebSocket", async () => {
    const socket = new WebSocket(`wss://${site}:${proxy.https}/app/stammtisch?protocol=7`, {
      ca: proxy.ca,
      origin: `https://${site}:${proxy.https}`,
      lookup: (_host, _options, found) => found(null, [{ address: "127.0.0.1", family: 4 }]),
    });
    const first = await new Promise<string>((resolve, reject) => {
      socket.once("message", (data: Buffer) => resolve(data.toString()));
      socket.once("error", reject);
    });
    socket.terminate();
    expect(JSON.parse(first).event).toBe("pusher:connection_established");
  });

  test("the proxy accepts pictures of 5 MB, and larger uploads only for the calendar and imports", async () => {
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const fitting = await ask(proxy, "POST", "/api/images/avatar", headers, "x".repeat(5 * 1024 * 1024));
    expect([fitting.status, JSON.parse(fitting.text)]).toEqual([
      419,
      expect.objectContaining({ message: expect.any(String) }),
    ]);
    const music = "x".repeat(7 * 1024 * 1024);
    expect((await ask(proxy, "POST", "/api/images/avatar", headers, music)).status).toBe(413);
    expect((await ask(proxy, "POST", "/api/admin/calendar/audio", headers, music)).status).toBe(419);
    const table = "x".repeat(20 * 1024 * 1024);
    for (const path of ["/api/admin/imports", "/api/admin/imports/check"])
      expect((await ask(proxy, "POST", path, headers, table)).status).toBe(419);
  });
});

function askPlainly(proxy: Proxy, path: string): Promise<Answer> {
  return answerOf((done) =>
    plainRequest({ host: "127.0.0.1", port: proxy.http, path, headers: { host: site } }, done).end(),
  );
}

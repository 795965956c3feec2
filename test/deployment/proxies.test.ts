// Tests the example configurations of Caddy and nginx, each in front of a real server.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { brotliDecompressSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { startServerProcess, type ServerProcess } from "#test/process/server-process.ts";

const root = join(import.meta.dirname, "../..");
const site = "stammtisch.example";

interface Proxy {
  readonly http: number;
  readonly https: number;
  /** PEM certificate of the authority that verifies the proxy's certificate. */
  readonly ca: string;
  stop(): void;
}

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
    proxy = await start(server, ports);
  });
  afterAll(async () => {
    proxy?.stop();
    await server?.[Symbol.asyncDispose]();
  });

  test("the proxy serves pages and API calls only over TLS, and sends no cookie over plain http", async () => {
    const page = await ask(proxy, "GET", "/");
    expect(page.status).toBe(200);
    expect(page.headers["strict-transport-security"]).toContain("max-age=31536000");
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

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

function ask(
  proxy: Proxy,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = "",
): Promise<Answer> {
  const target = { host: "127.0.0.1", port: proxy.https, servername: site, ca: proxy.ca };
  return answerOf((done) => {
    const host = `${site}:${proxy.https}`;
    const sizes = body ? { "content-length": String(Buffer.byteLength(body)) } : {};
    const sent = secureRequest({ ...target, method, path, headers: { host, ...headers, ...sizes } }, done);
    if (body === "") return sent.end();
    // Sends the body only after 300 ms without an answer: nginx refuses by the announced length and
    // cuts a connection that keeps sending, but Caddy must read the body first.
    sent.flushHeaders();
    const begun = setTimeout(() => sent.end(body), 300);
    return sent.once("response", () => clearTimeout(begun));
  });
}

function askPlainly(proxy: Proxy, path: string): Promise<Answer> {
  return answerOf((done) =>
    plainRequest({ host: "127.0.0.1", port: proxy.http, path, headers: { host: site } }, done).end(),
  );
}

function answerOf(send: (done: (message: IncomingMessage) => void) => ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    send((message) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      message.on("data", (chunk: Buffer) => chunks.push(chunk));
      message.on("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: message.statusCode!, headers: message.headers, bytes, text: bytes.toString() });
      });
    }).on("error", (error) => isAnswered || reject(error));
  });
}

async function startCaddy(server: ServerProcess, [http, https]: readonly [number, number]): Promise<Proxy> {
  const folder = createTemporaryFolder();
  // Changes only the ports and the issuer of the certificate compared to the example file.
  const options = `http_port ${http}\nhttps_port ${https}\nlocal_certs\nskip_install_trust\nadmin off`;
  writeFileSync(join(folder, "Caddyfile"), `{\n${options}\n}\nimport ${join(root, "deploy/Caddyfile")}\n`);
  const env = { ...process.env, SITE: site, APP: `127.0.0.1:${server.port}`, XDG_DATA_HOME: folder, HOME: folder };
  const args = ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
  const stop = run("caddy", args, env);
  await untilSecure(https);
  const authority = join(folder, "caddy/pki/authorities/local/root.crt");
  return { http, https, ca: readFileSync(authority, "utf8"), stop };
}

async function startNginx(server: ServerProcess, [http, https]: readonly [number, number]): Promise<Proxy> {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, "logs"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const names = ["-subj", `/CN=${site}`, "-addext", `subjectAltName=DNS:${site}`];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"].concat(
      ["-keyout", key, "-out", certificate],
      names,
    ),
    { stdio: "ignore" },
  );
  const conf = [
    ["127.0.0.1:3000", `127.0.0.1:${server.port}`],
    ["listen 80;", `listen ${http};`],
    ["listen [::]:80;", ""],
    ["listen 443 ssl http2;", `listen ${https} ssl http2;`],
    ["listen [::]:443 ssl http2;", ""],
    ["/etc/letsencrypt/live/stammtisch.example/fullchain.pem", certificate],
    ["/etc/letsencrypt/live/stammtisch.example/privkey.pem", key],
  ].reduce(
    (text, [from, to]) => {
      expect(text, "deploy/nginx.conf").toContain(from);
      return text.replace(from!, to!);
    },
    readFileSync(join(root, "deploy/nginx.conf"), "utf8"),
  );
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const main = `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${places.join(" ")}\n${conf}\n}`;
  writeFileSync(join(folder, "nginx.conf"), main);
  const stop = run("nginx", ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], process.env);
  await untilSecure(https);
  return { http, https, ca: readFileSync(certificate, "utf8"), stop };
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): () => void {
  const child = spawn(program, args, {
    env: { ...env, PATH: `${env["PATH"]}:/usr/sbin` },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  child.once("exit", (code) => code && process.stderr.write(log));
  return () => void child.kill("SIGTERM");
}

/** Waits until the proxy has its certificate, which it may get after it starts to listen. */
async function untilSecure(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isSecure = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", servername: site, rejectUnauthorized: false });
      socket.once("secureConnect", () => (socket.destroy(), resolve(true)));
      socket.once("error", () => resolve(false));
    });
    if (isSecure) return;
    await sleep(50);
  }
  throw new Error(`Nobody speaks TLS on ${port}.`);
}

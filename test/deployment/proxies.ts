// Caddy and nginx with the example configurations, and requests through them.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import { request as secureRequest } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";

import { expect } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";

const root = join(import.meta.dirname, "../..");
export const site = "stammtisch.example";

export interface Proxy {
  readonly http: number;
  readonly https: number;
  /** PEM certificate of the authority that verifies the proxy's certificate. */
  readonly ca: string;
  stop(): void;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

/** Sends a request to the site over TLS. */
export function ask(
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
    // Sends the body only if no answer arrives within 300 ms. nginx refuses a body that is too
    // large as soon as it reads the Content-Length, and cuts connections that keep sending; Caddy
    // answers only after it has read the body.
    sent.flushHeaders();
    const begun = setTimeout(() => sent.end(body), 300);
    return sent.once("response", () => clearTimeout(begun));
  });
}

/** Resolves to the whole answer of a request. */
export function answerOf(send: (done: (message: IncomingMessage) => void) => ClientRequest): Promise<Answer> {
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

/** Starts Caddy in front of the instances on these ports. */
export async function startCaddy(
  instances: readonly number[],
  [http, https]: readonly [number, number],
): Promise<Proxy> {
  const folder = createTemporaryFolder();
  // Changes only the ports and the issuer of the certificate compared to the example file.
  const options = `http_port ${http}\nhttps_port ${https}\nlocal_certs\nskip_install_trust\nadmin off`;
  writeFileSync(join(folder, "Caddyfile"), `{\n${options}\n}\nimport ${join(root, "deploy/Caddyfile")}\n`);
  const app = instances.map((port) => `127.0.0.1:${port}`).join(" ");
  const interval = instances.length > 1 ? { HEALTH_INTERVAL: "250ms" } : {};
  const env = { ...process.env, ...interval, SITE: site, APP: app, XDG_DATA_HOME: folder, HOME: folder };
  const args = ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
  const stop = run("caddy", args, env);
  await untilSecure(https);
  const authority = join(folder, "caddy/pki/authorities/local/root.crt");
  return { http, https, ca: readFileSync(authority, "utf8"), stop };
}

/** Starts nginx in front of the instance on this port. */
export async function startNginx(
  [instance]: readonly number[],
  [http, https]: readonly [number, number],
): Promise<Proxy> {
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
    ["127.0.0.1:3000", `127.0.0.1:${instance}`],
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

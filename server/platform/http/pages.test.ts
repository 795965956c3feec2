import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";

import { afterAll, describe, expect, test } from "vitest";

import type { GroupConfig } from "#contract/group-config.ts";
import { readConfig } from "#server/config.ts";
import { systemClock } from "#server/platform/clock.ts";
import { createLog } from "#server/platform/log.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { Client } from "#test/client.ts";
import { expectRefusal, expectStandardShape } from "#test/expect-response.ts";
import { createTestApp } from "#test/test-app.ts";
import { createHttpServer } from "./http-server.ts";
import { servePages } from "./pages.ts";

const index = '<!doctype html><title>Stammtisch</title><meta name="group" content="" /><div></div>';
const settings = "{&#34;group_name&#34;:&#34;Stammtisch&#34;}";
const shell = `<!doctype html><title>Stammtisch</title><meta name="group" content="${settings}" /><div></div>`;
const secret = "nobody may read this";
const named = (name: string) => ({ group_name: name }) as GroupConfig;
let group = named("Stammtisch");

/** Folder that contains the built web app in `dist`, and other files that must never be served. */
const folder = createTemporaryFolder();
const dist = join(folder, "dist");
mkdirSync(join(dist, "assets"), { recursive: true });
mkdirSync(join(dist, ".git"));
mkdirSync(join(folder, "data"));
writeFileSync(join(dist, "index.html"), index);
writeFileSync(join(dist, "sw.js"), "self");
writeFileSync(join(dist, "assets", "main-abc123.js"), "main");
writeFileSync(join(dist, "icon.png"), "picture");
// Compresses the files like the real build does, although such short files do not become smaller.
for (const path of ["sw.js", "assets/main-abc123.js"]) {
  const file = join(dist, path);
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
}
for (const path of ["dist/.env", "dist/.git/HEAD", "app.db", "data/secrets.json", "package.json", "distant"]) {
  writeFileSync(join(folder, path), secret);
}
const config = readConfig({ NODE_ENV: "test", APP_URL: "https://stammtisch.example", RATE_LIMIT_FACTOR: "1000" });
const log = createLog("error", () => {});
const http = await createHttpServer({
  config,
  clock: systemClock,
  log,
  secrets: { current: () => "key", accepts: async (_, matches) => matches("key") },
  findMember: async () => null,
  findTokenCaller: async () => null,
  countInstances: () => 1,
});
await servePages(http, {
  folder: dist,
  realtimeOrigin: null,
  readGroup: () => group,
});
await http.fastify.listen({ host: "127.0.0.1", port: 0 });
const { port } = http.fastify.server.address() as AddressInfo;
const guest = new Client(`http://127.0.0.1:${port}`, { host: "stammtisch.example" });

afterAll(() => http.fastify.close());

describe("pages", () => {
  test.each(["/", "/register?token=ABC", "/password-reset", "/game-servers", "/k%C3%A4se%20brot", "/apis"])(
    "the path %s returns the app with the security headers of pages, and browsers revalidate the page every time",
    async (path) => {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, text } = await guest.send(method, path);
        expect([status, text]).toEqual([200, method === "GET" ? shell : ""]);
        expect(headers["content-type"]).toBe("text/html; charset=utf-8");
        expect(headers["cache-control"]).toBe("no-cache");
        expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
        expect(headers["content-security-policy"]).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self'; " +
            "font-src 'self'; connect-src 'self' wss://stammtisch.example blob:; worker-src 'self'; " +
            "manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-src 'none'; " +
            "frame-ancestors 'none'; upgrade-insecure-requests",
        );
        expect(headers["permissions-policy"]).toBe(
          "autoplay=(self), camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=(), " +
            "fullscreen=(self)",
        );
        expect(headers["set-cookie"]).toBeUndefined();
      }
    },
  );

  test("a page contains the group's settings, and its name as the title, in every encoding and escaped", async () => {
    group = named(`</title><script>"$&'`);
    for (const accepted of ["br", "gzip", "identity"]) {
      const { text } = await guest.send("GET", "/login", { headers: { "accept-encoding": accepted } });
      expect(text).toContain("<title>&#60;/title&#62;&#60;script&#62;&#34;$&#38;&#39;</title>");
      const [, content = ""] = /<meta name="group" content="([^"]*)" \/>/.exec(text) ?? [];
      const unescaped = content.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      expect(JSON.parse(unescaped)).toEqual(group);
    }
    group = named("Stammtisch");
  });

  test("/offline contains no settings, because the service worker caches it", async () => {
    expect((await guest.get("/offline")).text).toBe(index);
  });

  test("browsers cache files with a hash in their names permanently, and revalidate the service worker every time", async () => {
    const asset = await guest.get("/assets/main-abc123.js");
    expect([asset.status, asset.text]).toEqual([200, "main"]);
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(asset.headers["x-content-type-options"]).toBe("nosniff");
    expect(asset.headers["content-type"]).toMatch(/javascript/);
    const worker = await guest.get("/sw.js");
    expect(worker.headers["cache-control"]).toBe("no-cache");
    expect(worker.headers["content-security-policy"]).toBe(
      "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    );
  });
});

describe("compressed pages and files", () => {
  const files: [path: string, text: string, type: string][] = [
    ["/", shell, "text/html; charset=utf-8"],
    ["/beercounter", shell, "text/html; charset=utf-8"],
    ["/sw.js", "self", "application/javascript; charset=utf-8"],
    ["/assets/main-abc123.js", "main", "application/javascript; charset=utf-8"],
  ];
  const encodings: [accepted: string | undefined, encoding: string | undefined][] = [
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.2, gzip;q=0.3", "gzip"],
    ["deflate", undefined],
    [undefined, undefined],
  ];
  const withEncoding = (accepted: string | undefined, more: Record<string, string> = {}) => ({
    headers: { ...(accepted !== undefined && { "accept-encoding": accepted }), ...more },
  });

  test.each(encodings)(
    "clients that accept %j get pages and files in the encoding %s, with the same content and policies",
    async (accepted, encoding) => {
      for (const [path, text, type] of files) {
        const plain = await guest.get(path);
        const get = await guest.send("GET", path, withEncoding(accepted));
        const head = await guest.send("HEAD", path, withEncoding(accepted));
        expect([get.status, get.text, get.headers["content-type"]], path).toEqual([200, text, type]);
        expect(get.headers["content-encoding"], path).toBe(encoding);
        expect(String(get.headers["vary"]).toLowerCase(), path).toBe("accept-encoding");
        expect(Number(get.headers["content-length"]), path).toBe(get.bytes.length);
        for (const name of ["cache-control", "content-security-policy", "permissions-policy"])
          expect([path, name, get.headers[name]]).toEqual([path, name, plain.headers[name]]);
        expect([head.status, head.bytes.length], path).toEqual([200, 0]);
        for (const name of ["content-encoding", "content-length", "content-type", "etag", "vary"])
          expect([path, name, head.headers[name]]).toEqual([path, name, get.headers[name]]);
      }
    },
  );

  test("a file has a different ETag in each encoding, and a request with that ETag is answered with 304", async () => {
    for (const path of ["/sw.js", "/assets/main-abc123.js"]) {
      const tags = new Set<string>();
      for (const accepted of ["br", "gzip", undefined]) {
        const { headers } = await guest.send("GET", path, withEncoding(accepted));
        const tag = String(headers["etag"]);
        expect(tag).toMatch(/^W\//);
        tags.add(tag);
        const known = await guest.send("GET", path, withEncoding(accepted, { "if-none-match": tag }));
        expect([known.status, known.bytes.length]).toEqual([304, 0]);
        expect(known.headers["vary"]).toBe("accept-encoding");
        const other = accepted === "br" ? "gzip" : "br";
        expect((await guest.send("GET", path, withEncoding(other, { "if-none-match": tag }))).status).toBe(200);
      }
      expect(tags.size).toBe(3);
    }
  });

  test("a range request for a compressed file returns a part of the compressed bytes", async () => {
    for (const accepted of ["br", "gzip"]) {
      const whole = await guest.send("GET", "/sw.js", withEncoding(accepted));
      const part = await guest.send("GET", "/sw.js", withEncoding(accepted, { range: "bytes=1-3" }));
      expect([part.status, part.headers["content-encoding"]]).toEqual([206, accepted]);
      expect(part.headers["content-range"]).toBe(`bytes 1-3/${whole.bytes.length}`);
      expect(part.bytes).toEqual(whole.bytes.subarray(1, 4));
    }
  });

  test("a range beyond the end of a file is refused with 416 and the size of the file", async () => {
    for (const path of ["/sw.js", "/assets/main-abc123.js"]) {
      const answer = await guest.get(path, { range: "bytes=100-" });
      expectRefusal(answer, 416, "Die Anfrage ist ungültig.");
      expect([answer.headers["content-range"], answer.headers["cache-control"]]).toEqual(["bytes */4", "no-store"]);
    }
  });

  test("pictures are sent without compression", async () => {
    const { status, text, headers } = await guest.send("GET", "/icon.png", withEncoding("br, gzip"));
    expect([status, text, headers["content-type"]]).toEqual([200, "picture", "image/png"]);
    expect(headers).not.toHaveProperty("content-encoding");
  });

  test("requests for a missing file or the compressed copy of a file are refused with 404 and a message", async () => {
    const paths = ["/sw.js", "/index.html", "/assets/main-abc123.js"].flatMap((path) => [`${path}.br`, `${path}.gz`]);
    for (const path of [...paths, "/assets/gone.js"]) {
      const answer = await guest.send("GET", path, withEncoding("br, gzip"));
      expect([path, answer.status]).toEqual([path, 404]);
      expectStandardShape(answer);
    }
  });
});

const climbs = ["..", "%2e%2e", "%2e.", ".%2e", "..%00", "%252e%252e", "..;", "%c0%ae%c0%ae", "%uff0e%uff0e"];
const slashes = ["/", "%2f", "%5c", "\\", "//", "%252f", "/./"];
const outside = ["app.db", "data/secrets.json", "package.json", "distant"];
const climbing = climbs.flatMap((climb) =>
  slashes.flatMap((slash) => outside.map((file) => `/${climb}${slash}${file}`)),
);
const fromInside = ["/assets/", "/assets%2f", "/internal/images/avatar/", "/api/", "/app/", "//", "/.git/"].flatMap(
  (start) =>
    ["../../app.db", "..%2f..%2fapp.db", "..%5c..%5capp.db", "%2e%2e/%2e%2e/data/secrets.json"].map(
      (rest) => `${start}${rest}`,
    ),
);
const wellKnown = `
  /.env /.env.local /.git/HEAD /.git/config /.gitignore /.htaccess /.npmrc /.ssh/id_rsa /app.db /stammtisch.db
  /data/stammtisch.db /data/secrets.json /data/first-invitation.txt /stammtisch.db-wal /backup.zip /dump.sql
  /package.json /package-lock.json /tsconfig.json /server/main.ts /server/config.ts /web/main.tsx
  /node_modules/fastify/package.json /index.html /assets/ /assets /assets/main-abc123.js.map /sw.js.map /main.js.map
  /assets/index.html /metrics.json /openapi.json /openapi.yaml /swagger.json /api-docs.json /graphql.php /phpinfo.php
  /wp-login.php /server-status.html /.well-known/security.txt /api/checkLoginStatus/x.css /api/checkLoginStatus.css
  /api/checkLoginStatus%2fx.css /api/beercounter/counters/style.css /api/beercounter/counters%3bx.css /api/x.css
  /sanctum/x.js /internal/images/avatar/ /internal/images/avatar /internal /internal/audio /broadcasting
  /app/stammtisch /api /api/ /api//checkLoginStatus /sanctum
`.match(/\S+/g)!;
const closed = [...new Set([...climbing, ...fromInside, ...wellKnown])];

test("manipulated paths never return a file outside the built app", async () => {
  expect(closed.length).toBeGreaterThan(300);
  for (const path of closed) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers, text } = await guest.send(method, path, { headers: { range: "bytes=0-9" } });
      const isShell = status === 200 && headers["content-type"] === "text/html; charset=utf-8";
      expect(isShell || status === 404 || status === 400, `${method} ${path} → ${status}`).toBe(true);
      expect(text === "" || text === shell || text.startsWith('{"message":"'), `${path} → ${text}`).toBe(true);
      expect(text).not.toContain(secret);
    }
  }
});

test("paths of missing files and unknown endpoints get 404 instead of a page", async () => {
  for (const path of wellKnown) {
    const answer = await guest.get(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expectStandardShape(answer);
  }
});

test("pages and files refuse all methods except GET and HEAD", async () => {
  for (const path of ["/", "/gibt/es/nicht", "/sw.js", "/assets/main-abc123.js"]) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]) {
      const answer = await guest.send(method, path);
      expect([method, path, answer.status, answer.headers["allow"]]).toEqual([method, path, 405, "GET, HEAD"]);
      expectStandardShape(answer);
    }
  }
  for (const path of ["/api/nothing", "/assets/gone.js", "/.env"]) expect((await guest.post(path)).status).toBe(404);
});

test("manipulated paths reveal no more to a member than to a guest", async () => {
  const app = await createTestApp();
  const anna = await app.createMember("anna");
  for (const path of [...fromInside, ...wellKnown]) {
    const { status, headers, text } = await anna.get(path);
    const isShell = headers["content-type"] === "text/html; charset=utf-8" || status === 503;
    expect(isShell || status === 404 || status === 400, `${path} → ${status}`).toBe(true);
    expect(text).not.toMatch(/SQLite|appKey|"user":\{/);
  }
});

test("if a connection requests many files at once, four are sent at a time, fifty wait, and further ones are refused with 429", async () => {
  const request = "GET /icon.png HTTP/1.1\r\nhost: stammtisch.example\r\n";
  const socket = connect(port, "127.0.0.1");
  socket.write(`${`${request}\r\n`.repeat(59)}${request}connection: close\r\n\r\n`);
  const statuses = (await readText(socket)).match(/(?<=HTTP\/1\.1 )\d+/g);
  expect(statuses).toEqual([...Array<string>(54).fill("200"), ...Array<string>(6).fill("429")]);
});

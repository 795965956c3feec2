import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

import { afterAll, beforeEach, expect, test, vi } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { runInProcess } from "#test/command-line.ts";
import { createTarget, startTarget, stopTarget, watchTargets } from "#test/driver-watch.ts";
import { createFakeEngine } from "#test/fake-engine.ts";
import { createDockerDriver } from "./docker.ts";
import { createEngineFilter } from "./engine-filter.ts";

const folder = createTemporaryFolder();
const socket = join(folder, "filter.sock");
const quiet = () => undefined;
const warn = vi.fn<() => void>();
const log = { debug: quiet, info: quiet, warn, error: quiet };

const engine = await createFakeEngine();
engine.create("gs-anna");
engine.create("gs-ben");
const filter = await createEngineFilter({ engineUrl: engine.url, socket, names: ["gs-anna", "cafe"], log });
beforeEach(() => void engine.calls.splice(0));
afterAll(() => filter.close());

const anna = "/containers/gs-anna";
const plain = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, "Host: engine", ...headers, "", ""].join("\r\n");
const bind = '{"Binds":["/:/host"],"Privileged":true}';
const sized = [`Content-Length: ${bind.length}`, "Content-Type: application/json"];
const chunks = `${bind.length.toString(16)}\r\n${bind}\r\n0\r\n\r\n`;

const refused: string[] = [
  // Requests that an engine accepts, but that the app does not need.
  ...["POST /v1.41/containers/create", "POST /v1.41/containers/create?name=gs-anna", "GET /v1.41/containers/json"],
  ...[`POST /v1.41${anna}/exec`, "POST /v1.41/exec/1/start", `POST /v1.41${anna}/kill`, `DELETE /v1.41${anna}`],
  ...[`POST /v1.41${anna}/attach`, `GET /v1.41${anna}/attach/ws`, `POST /v1.41${anna}/update`],
  ...[`GET /v1.41${anna}/logs`, `PUT /v1.41${anna}/archive?path=/`, `GET /v1.41${anna}/archive?path=/`],
  ...[`GET /v1.41${anna}/export`, `POST /v1.41${anna}/rename?name=x`, `POST /v1.41${anna}/pause`],
  ...[`POST /v1.41${anna}/restart`, `GET /v1.41${anna}/top`, "POST /v1.41/commit?container=gs-anna"],
  ...["POST /v1.41/build", "GET /v1.41/images/json", "POST /v1.41/images/load", "GET /v1.41/volumes"],
  ...["GET /v1.41/networks", "GET /v1.41/events", "GET /events", "GET /v1.41/info", "GET /version"],
  ...["POST /v1.41/swarm/init", "GET /v1.41/secrets", "GET /", "OPTIONS *"],
  // Requests for another container, or with a name that a careless parser may misread.
  ...["GET /v1.41/containers/gs-ben/json", "POST /v1.41/containers/gs-ben/start"],
  ...["POST /v1.41/containers/gs-ann/start", "POST /v1.41/containers/11000000/start"],
  ...["GET /v1.41/containers/gs-anna%00/json", "GET /v1.41/containers/GS-ANNA/json"],
  ...["POST /v1.41/containers/gs-anna/start/../../create", "POST /v1.41/containers/gs-anna/../gs-ben/start"],
  ...["POST /v1.41/containers/gs-anna/start/%2e%2e/%2e%2e/create"],
  ...["POST /v1.41/containers/gs-anna%2f..%2fgs-ben/start", "POST /v1.41/containers//gs-anna/start"],
  ...[`POST /v1.41/${anna}/start`, `POST //v1.41${anna}/start`, `POST /v1.41${anna}/start/`],
  ...[`POST /v1.41${anna}%2fstart`, `POST /v1.41${anna}/%73tart`, `POST /v1.41${anna}/start;x`],
  ...[`POST /v1.41${anna}/start\\..\\..\\create`, `POST http://engine/v1.41${anna}/start`],
  ...[`POST /v1.41${anna}/start#x`],
  // Old API versions, in which a start may add mounts and privileges, and versions that never existed.
  ...["v1.0", "v1.12", "v1.23", "v1.24", "v1.40", "v1.041", "v1.4", "v1.100", "v2.41", "v9.9", "v1.41.1", "V1.41"].map(
    (version) => `POST /${version}${anna}/start`,
  ),
  ...[`POST ${anna}/start`, `GET ${anna}/json`],
  // An allowed path with another method or query.
  ...[`GET /v1.41${anna}/start`, `POST /v1.41${anna}/json`, `HEAD /v1.41${anna}/json`, `PUT /v1.41${anna}/start`],
  ...["POST /_ping", "HEAD /_ping", "GET /_ping?x", "GET /_ping/", "GET /v1.40/_ping"],
  ...[`POST /v1.41${anna}/start?detachKeys=x`, `POST /v1.41${anna}/stop?t=-1`, `POST /v1.41${anna}/stop?t=1&t=2`],
  ...[`POST /v1.41${anna}/stop?signal=KILL`, `POST /v1.41${anna}/stop?t=99999`, `GET /v1.41${anna}/json?size=1`],
].map((line) => plain(line));

const start = `POST /v1.41${anna}/start`;
refused.push(
  // Start requests with a body, whose length is declared in valid and invalid ways.
  plain(start, ...sized) + bind,
  plain(start, "Transfer-Encoding: chunked", "Content-Type: application/json") + chunks,
  plain(start, "Transfer-Encoding: chunked") + "0\r\n\r\n",
  plain(start, "Transfer-Encoding: chunked", ...sized) + chunks,
  plain(start, "Content-Length: 0", "Transfer-Encoding: chunked") + chunks,
  plain(start, "Transfer-Encoding: gzip, chunked") + chunks,
  plain(start, "Transfer-Encoding : chunked") + chunks,
  plain(start, "Content-Length: 0", ...sized) + bind,
  plain(start, "Content-Length: +0"),
  plain(start, "Content-Length: -1"),
  plain(start, "Content-Length: 0, 5"),
  plain(`GET /v1.41${anna}/json`, ...sized) + bind,
  // Requests that would switch the connection to another protocol.
  plain(start, "Connection: Upgrade", "Upgrade: tcp"),
  plain(start, "Upgrade: tcp"),
  plain(start, "Connection: upgrade"),
  plain(
    "GET /_ping",
    "Connection: Upgrade, HTTP2-Settings",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
  ),
  plain(start, "Expect: 100-continue"),
  plain(start, "Expect: something"),
  plain("CONNECT engine:2375"),
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  // Bytes that are no valid HTTP/1.1 request.
  `${start}\r\n\r\n`,
  `${start} HTTP/0.9\r\nHost: engine\r\n\r\n`,
  `${start} HTTP/1.0\r\nHost: engine\r\n\r\n`,
  `${start} HTTP/2.0\r\nHost: engine\r\n\r\n`,
  `${start} HTTP/1.1\r\n\r\n`,
  `${start} HTTP/1.1\nHost: engine\n X: folded\n\n`,
  `START /v1.41${anna}/start HTTP/1.1\r\nHost: engine\r\n\r\n`,
  `post /v1.41${anna}/start HTTP/1.1\r\nHost: engine\r\n\r\n`,
  `POST /v1.41${anna}/start\0 HTTP/1.1\r\nHost: engine\r\n\r\n`,
  plain(start, `X: ${"x".repeat(20_000)}`),
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
);

test(`the engine filter refuses ${refused.length} requests besides the four allowed ones, and the engine receives none of them`, async () => {
  expect(refused.length).toBeGreaterThanOrEqual(60);
  const answers = await Promise.all(refused.map(async (bytes) => [bytes, await send(bytes)] as const));
  for (const [bytes, answer] of answers)
    expect(answer, JSON.stringify(bytes.slice(0, 200))).toMatch(/^HTTP\/1\.1 403 /);
  expect(engine.calls).toEqual([]);
  expect(engine.find("gs-ben").status).toBe("created");
});

test("the filter in front of the container engine also checks a request that is pipelined behind an allowed request", async () => {
  const hidden = plain(`GET /v1.41${anna}/json`) + plain("POST /v1.41/containers/create", ...sized) + bind;
  expect(await send(hidden)).not.toContain("HTTP/1.1 201");
  expect(engine.calls.filter((call) => !/\/_ping|gs-anna\/json/.test(call))).toEqual([]);
});

test("the engine filter passes ping, inspect, start and stop on to the container engine, and removes secrets from its answers", async () => {
  expect(await send(plain("GET /_ping"))).toMatch(/^HTTP\/1\.1 200 OK\r\n(.+\r\n)*api-version: 1\.41\r\n/i);
  expect(await send(plain("GET /v1.47/_ping"))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await send(plain(`POST /v1.41${anna}/start`, "Content-Length: 0"))).toMatch(/^HTTP\/1\.1 204 /);
  expect(await send(plain(`POST /v1.99${anna}/start`))).toMatch(/^HTTP\/1\.1 304 /);
  const looked = await send(plain(`GET /v1.41${anna}/json`));
  expect(JSON.parse(looked.split("\r\n\r\n")[1]!)).toEqual({
    Name: "/gs-anna",
    State: expect.objectContaining({ Status: "running", Running: true }),
  });
  expect(looked).not.toMatch(/s3cret|"Id"|Env|Error/);
  expect(await send(plain(`POST /v1.41${anna}/stop?t=3`))).toMatch(/^HTTP\/1\.1 204 /);
  expect(engine.calls).toContain("POST /v1.41/containers/gs-anna/stop?t=3");
});

test("the app follows a container through the engine filter without a request that the filter refuses and logs", async () => {
  warn.mockClear();
  const driver = createDockerDriver({ engineUrl: `unix://${socket}` });
  const { changes, end } = watchTargets(driver, ["gs-anna"]);
  for (const change of ["start", "stop"] as const) {
    changes.splice(0);
    await (change === "start"
      ? startTarget(driver, createTarget("gs-anna"))
      : stopTarget(driver, createTarget("gs-anna")));
    await expect.poll(() => changes).not.toEqual([]);
  }
  end();
  expect(warn).not.toHaveBeenCalled();
  await send(plain("GET /v1.41/events"));
  expect(warn, "others are still logged").toHaveBeenCalledOnce();
});

test("a container name that the engine filter allows does not match the beginning of another container's id", async () => {
  engine.create("gs-carla", "obedient", "cafe".padEnd(64, "0"));
  for (const line of ["GET /v1.41/containers/cafe/json", "POST /v1.41/containers/cafe/start"]) {
    expect(await send(plain(line))).toMatch(/^HTTP\/1\.1 404 /);
  }
  expect(engine.find("gs-carla").status).toBe("created");
});

test("the filter in front of the container engine hides the engine's error texts, except that a port is already allocated", async () => {
  engine.create("gs-broken", "missing");
  const place = join(folder, "second.sock");
  const second = await createEngineFilter({ engineUrl: engine.url, socket: place, names: ["gs-broken"], log });
  const answer = await send(plain("POST /v1.41/containers/gs-broken/start"), place);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toContain("s3cret");
  engine.startRefusal = { status: 500, message: "endpoint s3cret: port is already allocated" };
  const portTaken = await send(plain("POST /v1.41/containers/gs-broken/start"), place);
  expect(portTaken).toContain('{"message":"port is already allocated"}');
  expect(portTaken).not.toContain("s3cret");
  engine.fault = "huge";
  expect(await send(plain("GET /v1.41/containers/gs-broken/json"), place)).toMatch(/^HTTP\/1\.1 504 /);
  engine.fault = null;
  second.close();
});

test("the command “engine-filter” refuses invalid arguments, and a socket in use, with a message of one line", async () => {
  writeFileSync(join(folder, "notes.txt"), "no socket");
  const good = { engine: engine.url, listen: join(folder, "x.sock"), allow: "gs-anna" };
  const invalid: [changed: object, code: number][] = [
    [{ engine: "ftp://engine" }, 2],
    [{ allow: "../gs-anna" }, 2],
    [{ listen: join(folder, "notes.txt") }, 1],
    // The socket of a running filter.
    [{ listen: socket }, 1],
  ];
  for (const [changed, code] of invalid) {
    const words = Object.entries({ ...good, ...changed }).flatMap(([name, value]) => [`--${name}`, value]);
    const answer = await runInProcess(["engine-filter", ...words]);
    expect(answer, JSON.stringify(changed)).toEqual({ code, printed: expect.stringMatching(/^[^\n]+\n$/) });
  }
});

/** Sends bytes unchanged, and reads until the filter closes the connection or is silent for 8 seconds. */
async function send(bytes: string, place = socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = "";
    const stream = connect(place, () => stream.write(Buffer.from(bytes, "latin1")));
    stream.setEncoding("latin1").on("data", (chunk: string) => (read += chunk));
    stream.setTimeout(8_000, () => stream.destroy());
    stream.on("close", () => resolve(read)).on("error", (error) => (read === "" ? reject(error) : resolve(read)));
  });
}

import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32, deflateSync } from "node:zlib";

import sharp from "sharp";
import { afterAll, expect, test } from "vitest";

import { uploadsFolder } from "#server/platform/http/upload.ts";
import type { Client } from "#test/client.ts";
import { createJpegOfScans } from "#test/jpeg-scans.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { boundary, multipartForm, sendForm, upload } from "#test/upload.ts";
import { listWorkers } from "#test/workers.ts";
import { monitorLatency } from "./latency-monitor.ts";
import { handlesOf, memoryOf } from "./process-stats.ts";
import { percentile, report } from "./report.ts";

const mib = 2 ** 20;
const square = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: "#f5b11d" } })
    .png()
    .toBuffer();

const server = await startServerProcess();
const [anna, bert] = (await server.createMembers("anna", "bert")) as [Client, Client];
const idleHandles = handlesOf(server.pid);
// Sends some uploads before the tests, so that the baseline includes the memory of normal work.
await Promise.all(Array.from({ length: 60 }, () => upload(anna, Buffer.alloc(5 * mib))));
await upload(anna, await square(1000));
afterAll(() => server[Symbol.asyncDispose]());

/** Returns the resident memory of the server and of its picture workers, in MiB. */
const memoryOfAll = () =>
  [server.pid, ...listWorkers(server.pid, "picture-worker.ts")].reduce((sum, pid) => sum + memoryOf(pid), 0);
const leftovers = () => readdirSync(uploadsFolder(server)).length;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/**
 * Returns a PNG whose header claims this width and height. With `isDeep`, red, green, blue and
 * alpha have 16 bits each.
 */
function pngOf(width: number, height: number, pixels: Buffer, extra: readonly Buffer[] = [], isDeep = false): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set(isDeep ? [16, 6] : [8, 0], 8);
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([start, chunk("IHDR", head), ...extra, chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

test("decompression bombs in uploaded pictures are refused early or decoded in little memory", async () => {
  const zeros = (bytes: number) => deflateSync(Buffer.alloc(bytes), { level: 9 });
  const text = Buffer.concat([Buffer.from("Comment\0\0", "latin1"), zeros(200 * mib)]);
  const plain = deflateSync(Buffer.alloc(100 * 101));
  const photo = await sharp({ create: { width: 8000, height: 6250, channels: 3, background: "#888" } })
    .jpeg()
    .toBuffer();
  const bombs: [name: string, file: Buffer, status: number][] = [
    ["30 000 × 30 000", pngOf(30_000, 30_000, zeros(100 * mib)), 422],
    ["16 000 × 16 000", pngOf(16_000, 16_000, zeros(100 * mib)), 422],
    ["65 535 × 1", pngOf(65_535, 1, zeros(65_536)), 422],
    ["a photo of 50 megapixels", photo, 422],
    ["a text of 200 MiB", pngOf(100, 100, plain, [chunk("zTXt", text)]), 201],
    ["a profile of 200 MiB", pngOf(100, 100, plain, [chunk("iCCP", text)]), 201],
    ["16 bits a channel", pngOf(1000, 1000, zeros(1000 * 8001), [], true), 201],
    ["more pixels than it says", pngOf(100, 100, zeros(100 * mib)), 201],
    ["100 scans", await createJpegOfScans(1000, 100), 201],
    ["a JPEG of 1.2 MB with 100 000 scans", await createJpegOfScans(1000, 100_000), 422],
  ];
  // Starts the picture worker, so that the baseline includes its memory.
  await upload(anna, await square(9));
  const before = memoryOfAll();
  const times: Record<string, number> = {};
  for (const [name, file, status] of bombs) {
    const began = performance.now();
    const answer = await upload(anna, file);
    times[name] = Math.round(performance.now() - began);
    expect([name, answer.status]).toEqual([name, status]);
  }
  const asking = monitorLatency(server, bert);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => upload(anna, bombs[index % bombs.length]![1])),
  );
  const { p99 } = await asking.stop();
  const grown = memoryOfAll() - before;
  const number = { ...times, "RSS +MiB": grown, "counters p99 ms": p99 };
  report("T019", number, "each ≤ 100 ms; 100 at once RSS +≤ 150 MiB, p99 ≤ 100 ms");
  expect(answers.every(({ status }) => status === 201 || status === 422)).toBe(true);
  expect(grown).toBeLessThanOrEqual(150);
  expect(Math.max(...Object.values(times))).toBeLessThanOrEqual(100);
  expect(p99).toBeLessThanOrEqual(100);
  await expect.poll(() => listWorkers(server.pid, "picture-worker.ts"), { timeout: 15_000 }).toEqual([]);
});

test("a picture that takes seconds to decode does not delay other uploads", async () => {
  await server.call("user", "grant", "anna", "admin");
  const slow = multipartForm(await createJpegOfScans(4700, 100), { field: "picture" });
  const began = performance.now();
  const decoded = sendForm(anna, slow, {}, "/api/admin/calendar/pictures/2026-12-05");
  const picture = await square(100);
  const times: number[] = [];
  while ((await Promise.race([decoded, Promise.resolve("decoding")])) === "decoding") {
    const start = performance.now();
    expect((await upload(bert, picture)).status).toBe(201);
    times.push(performance.now() - start);
    await bert.delete(`/api/user/avatars/${(await bert.get("/api/user/avatars")).json[0].id}`);
  }
  const number = {
    "22 megapixels, 100 scans, ms": Math.round(performance.now() - began),
    "p95 ms": percentile(times, 0.95),
  };
  report("T019", number, "others p95 ≤ 1 s");
  expect((await decoded).status).toBe(201);
  expect(percentile(times, 0.95)).toBeLessThan(1000);
});

test("a hundred and twenty broken upload forms are refused within 500 ms each", async () => {
  const good = multipartForm(await square(9));
  const text = good.toString("latin1");
  const part = (headers: string) => `--${boundary}\r\n${headers}\r\n\r\nx\r\n`;
  const file = 'Content-Disposition: form-data; name="avatar"; filename="a.png"';
  const bodies: string[] = [
    ...Array.from({ length: 40 }, (_, index) => text.slice(0, Math.floor((text.length * index) / 41))),
    ...Array.from({ length: 30 }, (_, index) =>
      text.replaceAll("\r\n", ["\n", "\r", "\r\n\r\n"][index % 3]!).slice(index),
    ),
    ...["__proto__", "constructor", "prototype", "toString"].map(
      (name) => `${part(file.replace("avatar", name))}--${boundary}--\r\n`,
    ),
    ...["hasOwnProperty", "__proto__", "constructor"].map(
      (name) => `${part(`${name}: x\r\n${file}`)}--${boundary}--\r\n`,
    ),
    part(file).repeat(10_000),
    `${part(`X: ${"y".repeat(mib)}\r\n${file}`)}--${boundary}--\r\n`,
    `${part(file)}${part(file)}--${boundary}--\r\n`,
    `--${boundary}\r\nContent-Type: multipart/mixed; boundary=inner\r\n${file}\r\n\r\n--inner\r\n\r\nx\r\n--inner--\r\n--${boundary}--\r\n`,
    `--${boundary}\r\n${file}\r\nContent-Transfer-Encoding: base64\r\n\r\n${"A".repeat(4000)}\r\n--${boundary}--\r\n`,
    `--${boundary}\r\n\r\n\r\n--${boundary}--\r\n`,
    `--${boundary}--`,
    "\r\n".repeat(100_000),
    `--${boundary}`.repeat(20_000),
    `--${boundary}\r\n`.repeat(20_000),
    ...Array.from({ length: 33 }, (_, index) =>
      part(`Content-Disposition: form-data; name="avatar"; filename${"*".repeat(index)}=${"\u0000%".repeat(index)}`),
    ),
  ];
  expect(bodies.length).toBeGreaterThanOrEqual(119);
  const slow: number[] = [];
  for (const body of bodies) {
    const began = performance.now();
    const answer = await sendForm(anna, Buffer.from(body, "latin1"));
    slow.push(performance.now() - began);
    expect([400, 413, 422]).toContain(answer.status);
    expect(Object.keys(answer.json.errors)).toEqual(["avatar"]);
  }
  const number = { slowest: Math.round(Math.max(...slow)), count: bodies.length };
  report("T062", number, "each ≤ 500 ms, process alive");
  expect(number.slowest).toBeLessThanOrEqual(500);
  expect((await upload(bert, await square(9))).status).toBe(201);
  await expect.poll(leftovers).toBe(0);
});

/** Opens a connection, and sends the headers of an upload of `length` bytes and the first `sent` of these bytes. */
async function begin(client: Client, length: number, sent: number): Promise<Socket> {
  const socket = connect(server.port, "127.0.0.1");
  await new Promise((resolve) => void socket.once("connect", resolve));
  socket.on("error", () => {});
  const head = [
    "POST /api/images/avatar HTTP/1.1",
    `Host: localhost:${server.port}`,
    `Cookie: ${client.cookieHeader}`,
    `X-XSRF-TOKEN: ${client.csrfToken}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    `Content-Length: ${length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  if (sent > 0) socket.write(Buffer.alloc(sent, 0x41));
  return socket;
}

test("uploads that never end are cut off after a minute, and do not delay other members", async () => {
  const before = memoryOf(server.pid);
  const length = 5 * mib;
  const began = performance.now();
  const sockets = await Promise.all(Array.from({ length: 200 }, () => begin(anna, length, length / 2)));
  const dripping = setInterval(
    () => sockets.slice(150).forEach((socket) => socket.writable && socket.write("A")),
    1000,
  );
  const closed = sockets.map(
    (socket) =>
      new Promise<string>((resolve) => {
        let heard = "";
        socket.on("data", (data: Buffer) => (heard += data.toString("latin1")));
        socket.on("close", () => resolve(heard));
      }),
  );
  for (const socket of sockets.slice(100, 150)) socket.resetAndDestroy();
  const times: number[] = [];
  let most = 0;
  for (let round = 0; round < 15; round++) {
    const start = performance.now();
    expect((await upload(bert, await square(100))).status).toBe(201);
    times.push(performance.now() - start);
    most = Math.max(most, memoryOf(server.pid));
    await sleep(500);
  }
  const heard = await Promise.all(closed);
  clearInterval(dripping);
  const seconds = Math.round((performance.now() - began) / 1000);
  const grown = most - before;
  const number = { seconds, "RSS +MiB": grown, "p95 ms": percentile(times, 0.95) };
  report("T065", number, "≤ 65 s, RSS +≤ 50 MiB, p95 ≤ 1 s");
  const others = [...heard.slice(0, 100), ...heard.slice(150)].filter((text) => !text.startsWith("HTTP/1.1 408"));
  expect(others).toEqual([]);
  expect(seconds).toBeLessThanOrEqual(66);
  expect(grown).toBeLessThanOrEqual(50);
  expect(percentile(times, 0.95)).toBeLessThan(1000);
  await expect.poll(leftovers).toBe(0);
});

test("a thousand aborted uploads leave no files and connections behind", async () => {
  async function untilIdle(): Promise<void> {
    await expect.poll(() => handlesOf(server.pid), { timeout: 10_000 }).toBeLessThanOrEqual(idleHandles + 5);
  }
  // Waits for the connections of earlier tests to close, so that only connections of this test count.
  await untilIdle();
  for (let round = 0; round < 50; round++) {
    const sockets = await Promise.all(
      Array.from({ length: 20 }, (_, index) => begin(anna, (index % 2 ? 5 : 5.3) * mib, 0.2 * mib)),
    );
    await sleep(20);
    for (const socket of sockets) socket.destroy();
  }
  await untilIdle();
  report("T066", { files: handlesOf(server.pid) - idleHandles }, "±5 open files");
  await expect.poll(leftovers).toBe(0);
  expect((await upload(bert, await square(9))).status).toBe(201);
});

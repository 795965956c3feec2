import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";

import { beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { fixtures } from "#test/fixtures.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { boundary, multipartForm, sendForm, upload } from "#test/upload.ts";
import { uploadsFolder } from "./upload.ts";

let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
});

const files = () => readdirSync(uploadsFolder(app.config));
const fieldPart = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/**
 * Starts a picture upload on a new socket, with these additional headers and this part of the body.
 */
async function beginUpload(headers: string, body: Buffer | string): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const head = [
    "POST /api/images/avatar HTTP/1.1",
    "Host: localhost:3000",
    `Cookie: ${anna.cookieHeader}`,
    `X-XSRF-TOKEN: ${anna.csrfToken}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    headers,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(body);
  return socket;
}

test("accepted and refused uploads leave no file in the uploads folder, which only the server's user can read", async () => {
  const form = multipartForm(fixtures.png);
  const texts = { a: "1", b: "2", c: "3" };
  const uploads: [number, () => ReturnType<typeof upload>][] = [
    [201, () => upload(anna, fixtures.png)],
    [422, () => upload(anna, Buffer.from("x"))],
    [422, () => upload(anna, Buffer.alloc(5 * 2 ** 20 + 1))],
    [422, () => sendForm(anna, Buffer.from(`${fieldPart("avatar", "x")}--${boundary}--\r\n`))],
    [400, () => upload(anna, fixtures.png, { field: "picture" })],
    [400, () => upload(anna, fixtures.png, { texts })],
    [400, () => sendForm(anna, form.subarray(0, form.length - 9))],
    [400, () => sendForm(anna, Buffer.concat([form.subarray(0, form.length - boundary.length - 6), form]))],
  ];
  for (const [index, [status, send]] of uploads.entries()) {
    const answer = await send();
    expect([index, answer.status]).toEqual([index, status]);
    await expect.poll(files).toEqual([]);
  }
  expect(statSync(uploadsFolder(app.config)).mode & 0o777).toBe(0o700);
});

test("a chunked upload is refused with an error at its file field once it is too large", async () => {
  const size = 5.5 * 2 ** 20;
  const form = multipartForm(Buffer.alloc(size)).subarray(0, size);
  const chunk = Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), form, Buffer.from("\r\n")]);
  const socket = await beginUpload("Transfer-Encoding: chunked", chunk);
  let heard = "";
  for await (const data of socket as AsyncIterable<Buffer>) heard += String(data);
  expect(heard).toMatch(
    /^HTTP\/1\.1 413 .*"errors":\{"avatar":\["Profilbild darf maximal 5120 Kilobytes groß sein\."\]/s,
  );
  await expect.poll(files).toEqual([]);
});

test("an upload that the client aborts leaves no file and causes no log error", async () => {
  const form = multipartForm(Buffer.alloc(2 ** 20));
  const socket = await beginUpload(`Content-Length: ${form.length}`, form.subarray(0, 2 ** 19));
  await expect.poll(files).toHaveLength(1);
  socket.destroy();
  await expect.poll(files).toEqual([]);
  await app.context.http.whenIdle();
  expect(app.logLines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
});

test("a starting server deletes the unfinished uploads of a killed process, and no other file", async () => {
  const dataDir = createTemporaryFolder();
  const folder = uploadsFolder({ dataDir });
  const others = [
    join(dataDir, "uploads/photo.png"),
    join(dataDir, "uploads/0a1b2c3d4e5f6071.png"),
    join(folder, "photo.png"),
    join(folder, "holiday/0a1b2c3d4e5f6071.png"),
  ];
  const left = [join(folder, "0a1b2c3d4e5f6071.png"), join(folder, "0a1b2c3d4e5f6072")];
  for (const file of [...others, ...left]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, fixtures.png);
  }
  await createTestApp({ DATA_DIR: dataDir });
  expect([...others, ...left].filter((file) => existsSync(file))).toEqual(others);
});

test("the next start deletes the file of an upload that was in flight", async () => {
  const form = multipartForm(Buffer.alloc(2 ** 20));
  const socket = await beginUpload(`Content-Length: ${form.length}`, form.subarray(0, 2 ** 19));
  await expect.poll(files).toHaveLength(1);
  const dataDir = createTemporaryFolder();
  cpSync(app.config.dataDir, dataDir, { recursive: true });
  const restarted = await createTestApp({ DATA_DIR: dataDir });
  expect(readdirSync(uploadsFolder(restarted.config))).toEqual([]);
  socket.destroy();
});

test("an upload form without a file is refused with an error at its file field", async () => {
  expectErrors(await sendForm(anna, Buffer.from(`--${boundary}--\r\n`)), { avatar: [expect.any(String)] }, 422);
});

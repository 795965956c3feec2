import { cpSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { runCommandOn } from "#test/command-line.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";

const audio = "/internal/audio/1";
let app: TestApp;
let anna: Client;
let folder: string;

beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-12-05T10:00:00Z");
  anna = await app.createMember("anna");
  folder = createTemporaryFolder();
});

const run = (name: string, ...args: string[]) => runCommandOn(app, commands, name, args);

async function paint(): Promise<void> {
  const picture = (format: "jpeg" | "png") =>
    sharp({ create: { width: 40, height: 30, channels: 3, background: "#265" } })
      .toFormat(format)
      .toBuffer();
  const [jpeg, png] = [await picture("jpeg"), await picture("png")];
  for (let day = 1; day <= 24; day++) {
    const name = String(day).padStart(2, "0");
    writeFileSync(join(folder, day % 2 ? `${name}.jpg` : `${name}.PNG`), day % 2 ? jpeg : png);
  }
}

describe("calendar import", () => {
  test("the command “calendar import” fills a year, and a second run replaces the pictures without closing opened doors", async () => {
    await paint();
    writeFileSync(join(folder, "Thumbs.db"), "something else");
    expect((await run("calendar import", "2026", folder)).json).toEqual({ year: 2026, days: 24 });
    const { url } = (await anna.post("/api/christmas-calendar/open/2026-12-03")).json;
    await run("calendar import", "2026", folder);
    const { images } = (await anna.get("/api/christmas-calendar/opened-images")).json;
    expect(images[2].url).toMatch(/^\/internal/);
    expect(images[2].url).not.toBe(url);
    expect((await anna.get(url)).status).toBe(404);
    expect((await anna.get(images[2].url)).status).toBe(200);
  });

  test("the command “calendar import” imports all 24 pictures, or none and then names the reason", async () => {
    await paint();
    unlinkSync(join(folder, "07.jpg"));
    unlinkSync(join(folder, "18.PNG"));
    await expect(run("calendar import", "2026", folder)).rejects.toThrow(/lacks 07, 18/);
    cpSync(join(folder, "01.jpg"), join(folder, "07.jpg"));
    writeFileSync(join(folder, "18.jpg"), "<svg/>");
    await expect(run("calendar import", "2026", folder)).rejects.toThrow(
      /18\.jpg is not a usable picture \(neither JPEG nor PNG\)/,
    );
    cpSync(join(folder, "01.jpg"), join(folder, "18.png"));
    await expect(run("calendar import", "2026", folder)).rejects.toThrow(/both/);
    expect((await anna.get("/api/christmas-calendar/opened-images")).json.images).toEqual([]);
  });

  test("the command “calendar import” requires a year and a folder", async () => {
    await expect(run("calendar import", "26", folder)).rejects.toThrow(/YEAR/);
    await expect(run("calendar import", "2026", join(folder, "nowhere"))).rejects.toThrow(/cannot be read/);
  });
});

describe("calendar music", () => {
  const ogg = Buffer.concat([Buffer.from("OggS"), Buffer.from(Array.from({ length: 996 }, (_, index) => index % 251))]);
  const range = async (value: string, more: Record<string, string> = {}) => {
    const { status, headers } = await anna.get(audio, { range: value, ...more });
    return { status, length: Number(headers["content-length"]), range: headers["content-range"] };
  };

  test("the calendar plays the built-in carol until the operator imports other music", async () => {
    const ours = await anna.get(audio);
    expect(ours.status).toBe(200);
    expect(ours.headers).toMatchObject({ "content-type": "audio/mpeg", "accept-ranges": "bytes" });
    const file = join(folder, "musik");
    writeFileSync(file, ogg);
    expect((await run("calendar audio", file)).json).toEqual({ bytes: 1000 });
    const chosen = await anna.get(audio);
    expect(chosen.headers).toMatchObject({ "content-type": "audio/ogg", "content-length": "1000" });
    expect(chosen.headers["etag"]).not.toBe(ours.headers["etag"]);
  });

  test("the command “calendar audio” refuses a file that is not music", async () => {
    const file = join(folder, "musik.mp3");
    writeFileSync(file, "<script>alert(1)</script>");
    await expect(run("calendar audio", file)).rejects.toThrow(/neither MP3/);
    await expect(run("calendar audio", join(folder, "nowhere.mp3"))).rejects.toThrow(/cannot be read/);
  });

  test.each([
    ["built-in", 0],
    ["chosen", 1000],
  ])("the calendar music supports range requests (%s file)", async (_, size) => {
    if (size > 0) {
      writeFileSync(join(folder, "musik.ogg"), ogg);
      await run("calendar audio", join(folder, "musik.ogg"));
    }
    const { headers } = await anna.get(audio);
    const all = Number(headers["content-length"]);
    expect(await range("bytes=0-")).toEqual({ status: 206, length: all, range: `bytes 0-${all - 1}/${all}` });
    expect(await range("bytes=-1")).toEqual({ status: 206, length: 1, range: `bytes ${all - 1}-${all - 1}/${all}` });
    expect(await range("bytes=10-19")).toEqual({ status: 206, length: 10, range: `bytes 10-19/${all}` });
    expect(await range(`bytes=5-${all * 9}`)).toMatchObject({ status: 206, length: all - 5 });
    expect(await range(`bytes=-${all * 9}`)).toMatchObject({ status: 206, length: all });
    for (const bad of [`bytes=${all}-`, "bytes=-0", "bytes=-", "bytes=9-3", "bytes=x-y"]) {
      expect(await range(bad)).toMatchObject({ status: 416, range: `bytes */${all}` });
    }
  });

  test("a request for several ranges of the calendar music gets the whole file once", async () => {
    const all = Number((await anna.get(audio)).headers["content-length"]);
    const many = `bytes=${Array.from({ length: 1000 }, () => "0-").join(",")}`;
    for (const list of ["bytes=0-99,50-149", "bytes=0-0,-1", many]) {
      expect(await range(list)).toEqual({ status: 200, length: all, range: undefined });
    }
    expect((await range("seconds=1-2")).status).toBe(200);
  });

  test("a range request whose If-Range header has an outdated ETag gets the whole calendar music", async () => {
    const etag = String((await anna.get(audio)).headers["etag"]);
    expect((await range("bytes=0-9", { "if-range": etag })).status).toBe(206);
    expect((await range("bytes=0-9", { "if-range": '"older"' })).status).toBe(200);
    expect((await anna.get(audio, { "if-none-match": etag })).status).toBe(304);
  });

  test("a range request gets exactly the requested bytes of the calendar music", async () => {
    writeFileSync(join(folder, "musik.ogg"), ogg);
    await run("calendar audio", join(folder, "musik.ogg"));
    expect((await anna.get(audio, { range: "bytes=0-3" })).text).toBe("OggS");
    expect((await anna.get(audio, { range: "bytes=100-105" })).text).toBe(ogg.subarray(100, 106).toString());
  });
});

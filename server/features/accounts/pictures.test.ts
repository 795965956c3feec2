import { renameSync, rmSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";

import { sql } from "kysely";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { afterReading } from "#test/held-query.ts";
import { createJpegOfScans } from "#test/jpeg-scans.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { boundary, multipartForm, sendForm, upload } from "#test/upload.ts";
import { listWorkers } from "#test/workers.ts";

let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
});

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#f5b11d" } });
const png = (width: number, height = width) => blank(width, height).png().toBuffer();

const noise = { type: "gaussian", mean: 128, sigma: 80 } as const;

/**
 * Creates a picture whose quarters are red, green, blue and yellow, clockwise from the upper left.
 */
function quarters(): Promise<Buffer> {
  const tile = (background: string) =>
    sharp({ create: { width: 32, height: 32, channels: 3, background } })
      .png()
      .toBuffer();
  return Promise.all(["#ff0000", "#00ff00", "#0000ff", "#ffff00"].map(tile)).then(([red, green, blue, yellow]) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background: "#000" } })
      .composite([
        { input: red!, left: 0, top: 0 },
        { input: green!, left: 32, top: 0 },
        { input: blue!, left: 32, top: 32 },
        { input: yellow!, left: 0, top: 32 },
      ])
      .png()
      .toBuffer(),
  );
}

/** Returns the stored bytes of a picture, which the server sends unchanged. */
async function download(client: Client, id: string): Promise<Buffer> {
  expect((await client.get(`/internal/images/avatar/${id}`)).status).toBe(200);
  const row = await app.db.selectFrom("pictures").select("png").where("id", "=", id).executeTakeFirstOrThrow();
  return Buffer.from(row.png);
}

describe("profile pictures", () => {
  test("other members can load an uploaded picture only while its owner has selected it", async () => {
    const ben = await app.createMember("ben");
    const answer = await upload(anna, await png(400));
    expect([answer.status, answer.json]).toEqual([
      201,
      { message: "Profilbild hochgeladen.", id: expect.stringMatching(/^[\w-]{22}$/) as string },
    ]);
    const { id } = answer.json;
    const image = `/internal/images/avatar/${id}`;
    expect((await anna.get("/api/user/avatars")).json).toEqual([{ id }]);
    expect((await ben.get("/api/user/avatars")).json).toEqual([]);
    expect((await ben.get(image)).status).toBe(404);

    const chosen = await anna.post("/api/user/avatar", { id });
    expect([chosen.status, chosen.json]).toEqual([200, { message: "Profilbild erfolgreich geändert." }]);
    expect((await anna.get("/api/checkLoginStatus")).json.user).toMatchObject({ avatarId: id, profile_picture: id });
    const seen = await ben.get(image);
    expect(seen.status).toBe(200);
    expect(seen.headers).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/default-src 'none'.*sandbox/) as string,
      "cross-origin-resource-policy": "same-origin",
      "content-disposition": 'inline; filename="avatar.png"',
      "cache-control": "private, max-age=31536000, immutable",
      etag: `"${id}"`,
    });
    const again = await ben.get(image, { "if-none-match": `"${id}"` });
    expect([again.status, again.text]).toEqual([304, ""]);

    expect((await anna.post("/api/user/avatar", { id: null })).status).toBe(200);
    expect((await ben.get(image)).status).toBe(404);
    expect((await anna.get(image)).status).toBe(200);
  });

  test("a member cannot select an unknown picture or another member's picture", async () => {
    const ben = await app.createMember("ben");
    const { id } = (await upload(ben, await png(40))).json;
    await ben.post("/api/user/avatar", { id });
    for (const foreign of [id, id.slice(0, -1), "", `${id}%00`, "../../etc/passwd"]) {
      const answer = await anna.post("/api/user/avatar", { id: foreign });
      expectErrors(answer, { id: ["Der gewählte Wert für Profilbild ist ungültig."] });
    }
    expect((await anna.post("/api/user/avatar", {})).json.errors).toEqual({
      id: ["Profilbild muss ausgefüllt werden."],
    });
    expect((await anna.get("/api/checkLoginStatus")).json.user.avatarId).toBeNull();
  });

  test.each(["..%2f..%2fsecrets.json", "%00", "1", `${"A".repeat(21)}%00`, "A".repeat(22), "x".repeat(300), "a/b"])(
    "a request for the unknown picture %s is a 404",
    async (id) => {
      expectRefusal(await anna.get(`/internal/images/avatar/${id}`), 404, "Nicht gefunden.");
    },
  );

  test.each(["%zz", "%ff%fe"])("a request for the picture %s with an invalid URL encoding is a 400", async (id) => {
    expectRefusal(await anna.get(`/internal/images/avatar/${id}`), 400, "Die Anfrage ist ungültig.");
  });

  test("a member can store at most twenty pictures, even if more are uploaded concurrently", async () => {
    const small = await png(8);
    const answers = await Promise.all(Array.from({ length: 23 }, () => upload(anna, small)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    for (const { json } of answers.filter(({ status }) => status !== 201)) {
      expect(json.errors).toEqual({ avatar: ["Profilbild-Limit erreicht (20)."] });
    }
    expect((await anna.get("/api/user/avatars")).json).toHaveLength(20);
  });
});

describe("accepted pictures", () => {
  test.each([
    [1000, 1000, 1000],
    [1, 1, 1],
    [999, 1000, 999],
    [1000, 999, 999],
  ])("a picture of %i × %i pixels is stored as a square with sides of %i pixels", async (width, height, side) => {
    const { id } = (await upload(anna, await png(width, height))).json;
    expect(await sharp(await download(anna, id)).metadata()).toMatchObject({
      format: "png",
      width: side,
      height: side,
    });
  });

  test.each([
    [1001, 1001],
    [1000, 1001],
    [998, 1000],
    [200, 100],
  ])("a picture of %i × %i pixels is refused as too large or not square", async (width, height) => {
    const answer = await upload(anna, await png(width, height));
    expectErrors(answer, { avatar: ["Profilbild hat ungültige Bildabmessungen."] });
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "an uploaded photo with EXIF orientation %i is turned upright and loses its metadata",
    async (orientation) => {
      const upright = sharp(await quarters());
      const back = {
        1: [0, ""],
        2: [0, "flop"],
        3: [180, ""],
        4: [180, "flop"],
        5: [90, "flop"],
        6: [270, ""],
        7: [270, "flop"],
        8: [90, ""],
      } as const;
      const [angle, mirror] = back[orientation as keyof typeof back];
      const turned = sharp(await upright.rotate(angle).png().toBuffer());
      const photo = await (mirror ? turned.flop() : turned)
        .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
        .withExif({ IFD0: { Copyright: "geheim" }, IFD3: { GPSLatitude: "52/1 31/1 0/1" } })
        .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'><script/></x:xmpmeta>")
        .withMetadata({ orientation })
        .toBuffer();
      const { id } = (await upload(anna, photo, { name: "../../../etc/cron.d/x\u202Egnp.exe", type: "text/html" }))
        .json;
      const kept = await download(anna, id);
      const pixels = await sharp(kept).removeAlpha().raw().toBuffer();
      const at = (x: number, y: number) =>
        [...pixels.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3)].map((value) => (value > 127 ? 1 : 0));
      expect([at(8, 8), at(56, 8), at(56, 56), at(8, 56)]).toEqual([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [1, 1, 0],
      ]);
      expect(chunksOf(kept)).toEqual(["IHDR", "pHYs", "IDAT", "IEND"]);
      expect(kept.toString("latin1")).not.toMatch(/geheim|xmpmeta|GPS/);
    },
  );

  test("text and color profile chunks of an uploaded PNG are removed", async () => {
    const plain = await png(10);
    const texts = [
      chunk("tEXt", "Comment\0<script>alert(1)</script>"),
      chunk("iCCP", "x\0\0nonsense"),
      chunk("zTXt", "a\0\0bomb"),
    ];
    const dressed = Buffer.concat([plain.subarray(0, 33), ...texts, plain.subarray(33)]);
    const answer = await upload(anna, dressed);
    expect(answer.status).toBe(201);
    expect((await download(anna, answer.json.id)).toString("latin1")).not.toContain("script");
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const others: [string, () => Buffer | Promise<Buffer>][] = [
    ["an SVG picture", () => Buffer.from(svg)],
    ["an SVG picture after a byte order mark", () => Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`)],
    [
      "an SVG picture with entities",
      () => Buffer.from(`<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${svg}`),
    ],
    ["HTML", () => Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["GIF", () => blank(9, 9).gif().toBuffer()],
    ["WebP", () => blank(9, 9).webp().toBuffer()],
    ["AVIF", () => blank(9, 9).avif().toBuffer()],
    ["TIFF", () => blank(9, 9).tiff().toBuffer()],
    ["PDF", () => Buffer.from("%PDF-1.7\n1 0 obj")],
    ["BMP", () => Buffer.from("BM\x3a\0\0\0\0\0\0\0\x36\0\0\0", "latin1")],
    ["ICO", () => Buffer.from([0, 0, 1, 0, 1, 0, 9, 9, 0, 0])],
    ["DjVu", () => Buffer.from("AT&TFORM\0\0\0\x10DJVU", "latin1")],
    ["MVG", () => Buffer.from("push graphic-context\nimage over 0,0 0,0 'https://x'")],
    ["no content", () => Buffer.alloc(0)],
    [
      "a PNG followed by an HTML page",
      async () => Buffer.concat([await png(9), Buffer.from("<script>alert(1)</script>")]),
    ],
    [
      "a JPEG followed by a ZIP archive",
      async () => Buffer.concat([await blank(9, 9).jpeg().toBuffer(), Buffer.from("PK\x03\x04")]),
    ],
  ];
  test.each(others)("an upload of %s is refused regardless of its file name and type", async (_, make) => {
    const file = await make();
    for (const part of [{}, { name: "x.svg", type: "image/svg+xml" }, { name: "x.jpg", type: "image/jpeg" }]) {
      const answer = await upload(anna, file, part);
      expectErrors(answer, { avatar: ["Profilbild muss den Dateityp jpg, jpeg, png haben."] });
    }
  });

  test("an uploaded PNG with 10,000 chunks is refused", async () => {
    const plain = await png(10);
    const pieces = Buffer.concat(Array<Buffer>(10_000).fill(chunk("IDAT", "")));
    const answer = await upload(anna, Buffer.concat([plain.subarray(0, 33), pieces, plain.subarray(33)]));
    expectErrors(answer, { avatar: ["Profilbild muss ein Bild sein."] });
  });

  test("an uploaded JPEG that consists of more than 100 scans (layers of detail) is refused", async () => {
    const answer = await upload(anna, await createJpegOfScans(8, 101));
    expectErrors(answer, { avatar: ["Profilbild muss ein Bild sein."] });
    expect((await upload(anna, await createJpegOfScans(8, 100))).status).toBe(201);
  });

  test("an uploaded picture that is truncated is refused", async () => {
    const photo = await blank(400, 400).jpeg().toBuffer();
    const drawing = await png(400);
    for (const whole of [photo, drawing]) {
      const answer = await upload(anna, whole.subarray(0, Math.floor(whole.length / 2)));
      expectErrors(answer, { avatar: ["Profilbild muss ein Bild sein."] });
    }
  });
});

describe("upload form", () => {
  const kib = 1024;
  const padded = async (bytes: number) => {
    const plain = await png(9);
    const padding = chunk("tEXt", Buffer.alloc(bytes - plain.length - 12, 0x41));
    return Buffer.concat([plain.subarray(0, 33), padding, plain.subarray(33)]);
  };

  test.each([
    [5119 * kib, 201],
    [5120 * kib, 201],
    [5120 * kib + 1, 422],
    [5121 * kib, 422],
    [6 * kib * kib, 413],
  ])("a picture upload of %i bytes is answered with status %i", async (bytes, status) => {
    const answer = await upload(anna, await padded(bytes));
    expect(answer.status).toBe(status);
    if (status !== 201)
      expect(answer.json.errors).toEqual({ avatar: ["Profilbild darf maximal 5120 Kilobytes groß sein."] });
  });

  const part = (name: string, rest = "") =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\nx\r\n`;
  const file = '; filename="a.png"';
  test.each([
    ["without a file", `${part("other")}--${boundary}--\r\n`, 422],
    ["with only its closing boundary", `--${boundary}--\r\n`, 422],
    ["without content", "", 422],
    ["with another format", "hello", 400],
    ["without a closing boundary", part("avatar", file), 400],
    ["with two files", `${part("avatar", file)}${part("avatar", file)}--${boundary}--\r\n`, 400],
    ["with another field's file", `${part("__proto__", file)}--${boundary}--\r\n`, 400],
    ["with many parts", `${part("a").repeat(1000)}--${boundary}--\r\n`, 400],
  ])("a picture upload form %s is refused", async (_, body, status) => {
    const answer = await sendForm(anna, Buffer.from(body));
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([status, ["avatar"]]);
  });

  test.each([0, 71, 252, 4096])(
    "a picture upload form whose multipart boundary has %i characters is refused",
    async (length) => {
      const answer = await sendForm(anna, multipartForm(await png(9)), {
        "content-type": `multipart/form-data; boundary=${"b".repeat(length)}`,
      });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([400, ["avatar"]]);
    },
  );

  test("a picture is not stored if its member's account is deleted during the upload", async () => {
    await app.createUser("ben", ["admin"]);
    const remove = () => anna.post("/api/user/delete", { uname: "anna", password, beers: "keep" });
    const picture = await png(9);
    const answer = await afterReading(app.holdQuery, "sessions", () => upload(anna, picture), remove);
    expectRefusal(answer, 401, "Nicht angemeldet.");
    expect(await app.db.selectFrom("pictures").select("id").execute()).toEqual([]);
  });

  test("a picture upload is refused with an error at its field while the data directory is missing", async () => {
    const { dataDir } = app.config;
    renameSync(dataDir, `${dataDir}.aside`);
    writeFileSync(dataDir, "in the way");
    const answer = await upload(anna, await png(9));
    expect([answer.status, answer.json.message]).toEqual([
      503,
      "Der Dienst ist gerade nicht verfügbar. Bitte versuche es gleich nochmal.",
    ]);
    expect(answer.json.errors).toEqual({ avatar: ["Profilbild konnte nicht hochgeladen werden."] });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    rmSync(dataDir);
    renameSync(`${dataDir}.aside`, dataDir);
    expect((await upload(anna, await png(9))).status).toBe(201);
  });

  test("a picture upload whose worker process is killed is refused with an error at its field and logged", async () => {
    // The picture is large enough for the test to find the worker before it finishes.
    const large = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: "#000", noise } })
      .png()
      .toBuffer();
    const killing = setInterval(
      () => listWorkers(process.pid, "picture-worker.ts").forEach((worker) => process.kill(worker, 9)),
      5,
    );
    const answer = await upload(anna, large).finally(() => clearInterval(killing));
    expectErrors(answer, { avatar: ["Profilbild konnte nicht hochgeladen werden."] }, 503);
    expect(app.logLines).toContainEqual(expect.objectContaining({ level: "error", event: "unavailable" }));
    expect((await upload(anna, await png(9))).status).toBe(201);
  });

  test(
    "a picture upload is refused with an error at its field while the database is full",
    { tags: "sqlite-only" },
    async () => {
      const incompressible = await sharp({
        create: { width: 300, height: 300, channels: 3, background: "#000", noise },
      })
        .png()
        .toBuffer();
      const pages = await sql<{ page_count: number }>`pragma page_count`.execute(app.db);
      const limit = (count: number) => sql`pragma max_page_count = ${sql.lit(count)}`.execute(app.db);
      await limit(pages.rows[0]!.page_count);
      const answer = await upload(anna, incompressible);
      expectErrors(answer, { avatar: ["Profilbild konnte nicht hochgeladen werden."] }, 503);
      expect((await anna.get("/api/user/avatars")).json).toEqual([]);
      await limit(1_000_000);
      expect((await upload(anna, incompressible)).status).toBe(201);
    },
  );
});

function chunk(type: string, data: string | Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), Buffer.from(data)]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(body.length - 4, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function chunksOf(file: Buffer): string[] {
  const types: string[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    types.push(file.toString("latin1", at + 4, at + 8));
  return [...new Set(types)];
}

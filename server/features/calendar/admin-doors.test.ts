import { crc32 } from "node:zlib";

import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";

import { changePermissions } from "#server/features/accounts/management-actions.ts";
import { hangPicture, movePicture, takePictureDown } from "#test/calendar.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { afterReading } from "#test/held-query.ts";
import { createJpegOfScans } from "#test/jpeg-scans.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";

const calendar = "/api/admin/calendar";
const opened = "/api/christmas-calendar/opened-images";

const paint = (background: string) =>
  sharp({ create: { width: 200, height: 120, channels: 3, background } })
    .jpeg()
    .toBuffer();
const [red, blue] = (await Promise.all(["#c00", "#00c"].map(paint))) as [Buffer, Buffer];
const ogg = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(1000, 7)]);
let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-12-05T10:00:00Z");
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
});

/**
 * Returns a copy of a JPEG whose header claims 60,000 × 60,000 pixels; the image data are
 * unchanged.
 */
function enlarged(jpeg: Buffer): Buffer {
  const file = Buffer.from(jpeg);
  const frame = file.indexOf(Buffer.from([0xff, 0xc0]));
  file.writeUInt16BE(60_000, frame + 5);
  file.writeUInt16BE(60_000, frame + 7);
  return file;
}

/** Creates an interlaced picture of 16 bits per channel whose header claims 4000 × 4000 pixels. */
async function interlaced(): Promise<Buffer> {
  const image = sharp({ create: { width: 16, height: 16, channels: 4, background: "#c00" } });
  const file = await image.toColourspace("rgb16").png({ progressive: true }).toBuffer();
  const header = file.subarray(12, 29);
  header.writeUInt32BE(4000, 4);
  header.writeUInt32BE(4000, 8);
  file.writeUInt32BE(crc32(header), 29);
  return file;
}

const send = (path: string, field: string, file: Buffer, client = anna): Promise<ClientResponse> =>
  sendForm(client, multipartForm(file, { field }), {}, `${calendar}/${path}`);
const setPicture = (date: string, file = red, client = anna) => send(`pictures/${date}`, "picture", file, client);
const remove = (path: string): Promise<ClientResponse> => anna.delete(`${calendar}/${path}`);
const getCalendar = async (query = "") => (await anna.get(calendar + query)).json;
const previewOf = async (date: string) => {
  const { days } = await getCalendar(`?year=${date.slice(0, 4)}`);
  return days.find((day: { date: string }) => day.date === date).preview;
};
const open = (client: Client, date: string) => client.post(`/api/christmas-calendar/open/${date}`);
const texts = async () => (await anna.get("/api/admin/audit")).json.entries.map(({ text }: { text: string }) => text);

describe("upload of a calendar picture", () => {
  test("only administrators see a calendar picture before its day", async () => {
    const answer = await setPicture("2026-12-06");
    expect(answer.status).toBe(201);
    const { preview } = answer.json;
    expect(answer.json).toEqual({ message: "Bild aufgehängt.", date: "2026-12-06", preview });
    const seen = await anna.get(preview);
    expect([seen.status, seen.headers["content-type"]]).toEqual([200, "image/webp"]);
    expect((await ben.get(preview)).status).toBe(403);
    const asMember = preview.replace("calendar-preview", "calendar");
    for (const client of [anna, ben]) expect((await client.get(asMember)).status).toBe(404);
    expectRefusal(await open(ben, "2026-12-06"), 403, "Dieses Türchen ist noch zu.");
    expect((await anna.get(opened)).json.images[5]).toEqual({ date: "2026-12-06", url: "" });
    expect(JSON.stringify((await ben.get(opened)).json)).not.toContain(preview.split("/").at(-1));

    app.clock.time += 24 * 60 * 60_000 - 1;
    await ben.post("/api/login", { uname: "ben", password });
    const { url } = (await open(ben, "2026-12-06")).json;
    expect((await ben.get(url)).status).toBe(200);
    await anna.post("/api/login", { uname: "anna", password });
    expect(await texts()).toEqual(["Bild für den 6. Dezember 2026 aufgehängt."]);
  });

  test.each([
    ["picture", "pictures/2026-12-06"],
    ["audio", "audio"],
  ])(
    "an upload to the calendar (%s) is refused if the administrator loses the permission during the upload",
    async (field, path) => {
      const answer = await afterReading(
        app.holdQuery,
        "sessions",
        () => send(path, field, field === "audio" ? ogg : red),
        () => changePermissions(app.context, 1, null, () => []),
      );
      expectRefusal(answer, 403, "Diese Aktion ist nicht autorisiert.");
      for (const table of ["calendar_pictures", "calendar_audio"] as const)
        expect(await app.db.selectFrom(table).select("id").execute()).toEqual([]);
    },
  );

  test("members who have opened a calendar door see the new picture after an administrator replaces the picture", async () => {
    const first = (await setPicture("2026-12-03")).json.preview;
    const { url } = (await open(ben, "2026-12-03")).json;
    await hangPicture(anna, "2026-12-03", blue);
    expect((await ben.get(url)).status).toBe(404);
    expect((await anna.get(first)).status).toBe(404);
    const image = (await ben.get(opened)).json.images[2];
    expect((await ben.get(image.url)).status).toBe(200);
    expect((await getCalendar()).days[2]).toMatchObject({
      date: "2026-12-03",
      preview: await previewOf("2026-12-03"),
      opened: 1,
      owner: null,
    });
  });

  test("an administrator can swap two calendar pictures, move one to an empty door, and take one down", async () => {
    const one = (await setPicture("2026-12-01", red)).json.preview;
    const other = (await setPicture("2026-12-24", blue)).json.preview;
    const swapped = await movePicture(anna, "2026-12-01", "2026-12-24");
    expect(swapped.json).toEqual({ message: "Bilder getauscht." });
    expect([await previewOf("2026-12-01"), await previewOf("2026-12-24")]).toEqual([other, one]);
    await movePicture(anna, "2026-12-24", "2027-12-02");
    expect([await previewOf("2026-12-24"), await previewOf("2027-12-02")]).toEqual([null, one]);
    const nothing = await movePicture(anna, "2026-12-24", "2026-12-23");
    expectRefusal(nothing, 404, "Nicht gefunden.");
    expect((await takePictureDown(anna, "2026-12-01")).json).toEqual({ message: "Bild abgenommen." });
    expectRefusal(await remove("pictures/2026-12-01"), 404, "Nicht gefunden.");
    expect((await texts()).slice(0, 3)).toEqual([
      "Bild vom 1. Dezember 2026 abgenommen.",
      "Bilder vom 24. Dezember 2026 und vom 2. Dezember 2027 getauscht.",
      "Bilder vom 1. Dezember 2026 und vom 24. Dezember 2026 getauscht.",
    ]);
  });

  test.each([
    ["a file without a picture", Buffer.from("<svg/>"), "Bild muss den Dateityp jpg, jpeg, png haben."],
    ["a JPEG with more than 100 scans", () => createJpegOfScans(8, 101), "Bild muss ein Bild sein."],
    ["half a picture", () => red.subarray(0, red.length / 2), "Bild muss ein Bild sein."],
    ["a picture of 3,600 megapixels", () => enlarged(red), "Bild hat ungültige Bildabmessungen."],
    ["an interlaced picture that needs too much memory", interlaced, "Bild hat ungültige Bildabmessungen."],
    ["a file that is too large", Buffer.alloc(15 * 1024 * 1024 + 1, 0xff), "Bild darf maximal 15 MB groß sein."],
  ])("refuses %s as a calendar picture", async (_, file, text) => {
    const answer = await setPicture("2026-12-07", typeof file === "function" ? await file() : file);
    expectErrors(answer, { picture: [text] });
    expect(await previewOf("2026-12-07")).toBeNull();
    expect(await texts()).toEqual([]);
  });

  test.each(["2026-12-25", "2026-11-30", "2026-12-1", "1999-12-01", "..%2f..", "x"])(
    "rejects a calendar picture for %s, which has no door",
    async (date) => {
      expectRefusal(await setPicture(date), 404, "Nicht gefunden.", date);
    },
  );

  test("accepts 24 calendar pictures at once", async () => {
    const days = (await getCalendar("?year=2027")).days.map(({ date }: { date: string }) => date);
    const answers = await Promise.all(days.map((date: string) => setPicture(date)));
    expect(answers.map(({ status }) => status)).toEqual(days.map(() => 201));
    expect((await getCalendar("?year=2027")).days.filter(({ preview }: { preview: string }) => preview)).toHaveLength(
      24,
    );
  });
});

test("the admin calendar shows the year of the next doors and lists the years with pictures", async () => {
  await setPicture("2024-12-01");
  expect(await getCalendar()).toMatchObject({ year: 2026, years: [2027, 2026, 2024], audio: null });
  app.clock.time = Date.parse("2026-12-25T10:00:00Z");
  anna = app.createClient();
  await anna.post("/api/login", { uname: "anna", password });
  const { year, days } = await getCalendar();
  const version = expect.stringMatching(/^[\w-]{16}$/);
  const nothing = {
    is_filled: false,
    preview: null,
    text: null,
    can_restore: false,
    opened: 0,
    owner: null,
    is_secret: false,
  };
  expect([year, days.length, days[0]]).toEqual([2027, 24, { date: "2027-12-01", version, ...nothing }]);
});

test("the calendar plays the last uploaded music until an administrator restores the default music", async () => {
  const answer = await send("audio", "audio", ogg);
  expect([answer.status, answer.json]).toEqual([201, { message: "Musik geändert." }]);
  expect((await getCalendar()).audio).toEqual({ media: "audio/ogg", size: 1004 });
  expect((await ben.get("/internal/audio/1")).headers["content-type"]).toBe("audio/ogg");
  const wrong = await send("audio", "audio", red);
  expectErrors(wrong, { audio: ["Musik muss MP3, M4A oder Ogg sein."] });
  expect((await remove("audio")).status).toBe(200);
  expect((await ben.get("/internal/audio/1")).headers["content-type"]).toBe("audio/mpeg");
  await remove("audio");
  expect(await texts()).toEqual([
    "Eigene Musik des Adventskalenders entfernt.",
    "Musik des Adventskalenders geändert.",
  ]);
});

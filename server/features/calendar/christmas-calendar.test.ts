import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { encodePicture, type EncodedPicture, importYear } from "./actions.ts";

const doors = "/api/christmas-calendar/opened-images";
const open = (date: string) => `/api/christmas-calendar/open/${date}`;
let app: TestApp;
let picture: EncodedPicture;

beforeEach(async () => {
  app = await createTestApp();
  picture ??= (await encodePicture(await draw(1600, 1200))) as EncodedPicture;
  const pictures = Array.from({ length: 24 }, () => picture);
  await importYear(app.context, 2025, pictures, { by: null, at: 0 });
  await importYear(app.context, 2026, pictures, { by: null, at: 0 });
});

async function draw(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "#c33" } })
    .jpeg()
    .toBuffer();
}

/** Creates a member at a given time. A session would expire when these tests move the clock. */
async function memberAt(uname: string, time: string): Promise<Client> {
  app.clock.time = Date.parse(time);
  return app.createMember(uname);
}

describe("opening a calendar door", () => {
  test("a calendar door opens with the first second of its day in Berlin", async () => {
    const anna = await memberAt("anna", "2026-11-30T22:59:59Z");
    const early = await anna.post(open("2026-12-01"));
    expect(early.status).toBe(403);
    expect(early.json).toMatchObject({ message: "Dieses Türchen ist noch zu." });
    app.clock.time = Date.parse("2026-11-30T23:00:00Z");
    const answer = await anna.post(open("2026-12-01"));
    expect(answer.status).toBe(200);
    expect(answer.json.url).toMatch(/^\/internal\/images\/calendar\/[\w-]{22}$/);
    expect((await anna.post(open("2026-12-02"))).status).toBe(403);
  });

  test("a calendar door is open only for the member who opened it", async () => {
    const anna = await memberAt("anna", "2026-12-05T10:00:00Z");
    const ben = await memberAt("ben", "2026-12-05T10:00:00Z");
    const first = await anna.post(open("2026-12-05"));
    expect((await anna.post(open("2026-12-05"))).text).toBe(first.text);
    const { images } = (await anna.get(doors)).json;
    expect(images).toHaveLength(24);
    expect(images[4]).toEqual({ date: "2026-12-05", url: first.json.url, opened: 1, members: 2 });
    expect(images.filter(({ url }: { url: string }) => url !== "")).toHaveLength(1);
    const others = (await ben.get(doors)).json.images;
    expect(others.every(({ url }: { url: string }) => url === "")).toBe(true);
  });

  test("an open calendar door closes if the clock is set back to before its day", async () => {
    const anna = await memberAt("anna", "2026-12-05T10:00:00Z");
    const setBack = async (hours: number) => {
      app.clock.time -= hours * 60 * 60_000;
      expect((await anna.post("/api/login", { uname: "anna", password })).status).toBe(200);
    };
    expect((await anna.post(open("2026-12-02"))).status).toBe(200);
    expect((await anna.post(open("2025-12-24"))).status).toBe(200);
    const { url } = (await anna.post(open("2026-12-05"))).json;
    await setBack(1);
    expect((await anna.get(doors)).json.images[4].url).toBe(url);
    await setBack(24);
    expect((await anna.get(doors)).json.images[4].url).toBe("");
    expect((await anna.post(open("2026-12-06"))).status).toBe(403);
    expect((await anna.post(open("2026-12-05"))).status).toBe(403);
  });

  test("opening a calendar door with an invalid date is refused with 422", async () => {
    const anna = await memberAt("anna", "2026-12-24T10:00:00Z");
    for (const date of ["2026-12-5", "2026-02-30", "heute", "2026-12-05T00:00:00Z"]) {
      const answer = await anna.post(open(encodeURIComponent(date)));
      expect([date, answer.status]).toEqual([date, 422]);
      expect(answer.json.errors).toEqual({ date: ["Der gewählte Wert für Datum ist ungültig."] });
    }
  });

  test("opening a door outside the calendar or in a year without pictures is refused with 404", async () => {
    const anna = await memberAt("anna", "2026-12-31T10:00:00Z");
    for (const date of ["2026-11-30", "2026-12-25", "2024-12-01"]) {
      expect([date, (await anna.post(open(date))).status]).toEqual([date, 404]);
    }
  });

  test("a calendar door opens at midnight in the group's time zone", async () => {
    const far = await createTestApp({ TIME_ZONE: "Pacific/Kiritimati" });
    await importYear(
      far.context,
      2026,
      Array.from({ length: 24 }, () => picture),
      { by: null, at: 0 },
    );
    far.clock.time = Date.parse("2026-11-30T09:59:59Z");
    const anna = await far.createMember("anna");
    expect((await anna.post(open("2026-12-01"))).status).toBe(403);
    far.clock.time = Date.parse("2026-11-30T10:00:00Z");
    expect((await anna.post(open("2026-12-01"))).status).toBe(200);
  });

  test("a calendar door of next year cannot be opened", async () => {
    const anna = await memberAt("anna", "2026-12-31T10:00:00Z");
    expect((await anna.post(open("2027-12-01"))).status).toBe(403);
  });
});

describe("GET opened-images", () => {
  test("the calendar changes from last year's doors to this year's doors on 1 November in Berlin", async () => {
    const anna = await memberAt("anna", "2026-10-31T22:59:59Z");
    const before = (await anna.get(doors)).json;
    expect([before.year, before.years, before.images[0]]).toEqual([2025, [2025], { date: "2025-12-01", url: "" }]);
    app.clock.time += 1000;
    const after = (await anna.get(doors)).json;
    expect([after.year, after.years, after.images[0]]).toEqual([2026, [2026, 2025], { date: "2026-12-01", url: "" }]);
  });

  test("calendar doors of past years can be listed, but not doors of future years", async () => {
    const anna = await memberAt("anna", "2026-12-05T10:00:00Z");
    const past = (await anna.get(`${doors}?year=2025`)).json;
    expect(past.images).toHaveLength(24);
    expect(past).toMatchObject({ year: 2025, years: [2026, 2025], today: "2026-12-05" });
    app.clock.time = Date.parse("2026-12-05T10:05:00Z");
    expect((await anna.get(`${doors}?year=2027`)).json.images).toEqual([]);
    expect((await anna.get(`${doors}?year=1999`)).json.images).toEqual([]);
  });

  test("listing calendar doors of an invalid year is refused", async () => {
    const anna = await memberAt("anna", "2026-12-05T10:00:00Z");
    for (const year of ["abc", "20261", "-202", "2026&year=2025"]) {
      const answer = await anna.get(`${doors}?year=${year}`);
      expect([year, answer.status, Object.keys(answer.json.errors)]).toEqual([year, 422, ["year"]]);
    }
  });

  test("a calendar year without pictures has no doors", async () => {
    const anna = await memberAt("anna", "2027-11-05T10:00:00Z");
    expect((await anna.get(doors)).json).toMatchObject({ images: [], year: 2027, years: [2026, 2025] });
  });
});

describe("calendar pictures", () => {
  test("a calendar picture is shown only to members who opened its door", async () => {
    const anna = await memberAt("anna", "2026-12-05T10:00:00Z");
    const ben = await memberAt("ben", "2026-12-05T10:00:00Z");
    const { url } = (await anna.post(open("2026-12-05"))).json;
    const answer = await anna.get(url);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "private, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-disposition": 'inline; filename="bild.webp"',
    });
    expect((await ben.get(url)).status).toBe(404);
    expect((await anna.get("/internal/images/calendar/..%2f..%2fsecrets.json")).status).toBe(404);
    await ben.post(open("2026-12-05"));
    expect((await ben.get(url)).status).toBe(200);
  });

  test("a calendar picture has two sizes and an ETag", async () => {
    const anna = await memberAt("anna", "2026-12-05T10:00:00Z");
    const { url } = (await anna.post(open("2026-12-05"))).json;
    const [screen, phone] = [await anna.get(url), await anna.get(`${url}?size=phone`)];
    expect(Number(phone.headers["content-length"])).toBeLessThan(Number(screen.headers["content-length"]));
    const again = await anna.get(url, { "if-none-match": String(screen.headers["etag"]) });
    expect(again.status).toBe(304);
    expect(again.text).toBe("");
    expect((await anna.get(`${url}?size=huge`)).status).toBe(422);
  });

  test("an uploaded calendar picture is shrunk, turned upright and stripped of metadata", async () => {
    const photo = await sharp(await draw(3000, 2000))
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: "Geheim" } } })
      .jpeg()
      .toBuffer();
    const { screen, phone } = (await encodePicture(photo)) as EncodedPicture;
    expect(await sharp(screen).metadata()).toMatchObject({ format: "webp", width: 1280, height: 1920 });
    expect((await sharp(phone).metadata()).width).toBe(640);
    expect((await sharp(screen).metadata()).exif).toBeUndefined();
    expect(screen.includes("Geheim")).toBe(false);
  });

  test("encodePicture refuses a file that is not a picture", async () => {
    expect(await encodePicture(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))).toBe("type");
    expect(await encodePicture(Buffer.from("kein Bild"))).toBe("type");
  });
});

import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";

import { updateDisabledAt } from "#server/features/members/store.ts";
import { hangPicture, movePicture, showDoorOwners, takeDoorBack } from "#test/calendar.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { afterReading, isAnyoneWaiting } from "#test/held-query.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";
import { importYear } from "./actions.ts";
import { calendarDays } from "./rules.ts";

const admin = "/api/admin/calendar";
const doors = "/api/christmas-calendar/opened-images";
const own = "/api/christmas-calendar/own-doors";
const names = ["anna", "ben", "clara", "dora"];
const jpeg = await sharp({ create: { width: 200, height: 120, channels: 3, background: "#c00" } })
  .withExif({ IFD0: { Artist: "Ben" } })
  .jpeg()
  .toBuffer();

const pictures = Array.from({ length: 24 }, () => ({ screen: jpeg, phone: jpeg }));

let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-11-24T10:00:00Z");
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  await showDoorOwners(anna);
});

/** Logs in again, because sessions expire when these tests move the clock. */
async function logIn(uname: string): Promise<Client> {
  const client = app.createClient();
  await client.post("/api/login", { uname, password });
  return client;
}

const deal = async (year = 2026) => (await anna.post(`${admin}/lottery`, { year })).json.message;
const give = (date: string, uname: string) =>
  app.db
    .insertInto("calendar_assignments")
    .values({ date, user_id: names.indexOf(uname) + 1 })
    .execute();
const fill = (client: Client, date: string, file = jpeg): Promise<ClientResponse> =>
  sendForm(client, multipartForm(file, { field: "picture" }), {}, `${own}/${date}`);
const hang = (date: string, takesOver?: number) => hangPicture(anna, date, jpeg, takesOver);
const ownDoors = async (client: Client) => (await client.get(doors)).json.own_doors;
const images = async (client: Client) => (await client.get(doors)).json.images;
const imageOf = async (client: Client, date: string) =>
  (await images(client)).find((image: { date: string }) => image.date === date);
const managed = async (year = 2026) => (await anna.get(`${admin}?year=${year}`)).json;
/** Fields of a door of Ben that is not filled. */
const ownDoor = { picture: null, text: null, is_hidden: false, can_restore: false };
/** Counts the doors of each member who has any; returns the counts in ascending order. */
async function heldDoors(): Promise<number[]> {
  const rows = await app.db.selectFrom("calendar_assignments").select("user_id").execute();
  return [...Map.groupBy(rows, ({ user_id }) => user_id).values()]
    .map(({ length }) => length)
    .toSorted((a, b) => a - b);
}

describe("lottery", () => {
  test("the lottery assigns all free calendar doors of the year, almost equally many to each member", async () => {
    for (const name of names.slice(2)) await app.createUser(name);
    await app.createUser("emil");
    await hang("2026-12-24");
    expect(await managed()).toMatchObject({ free_doors: 23, members: 5 });
    expect(await deal()).toBe("23 Türchen sind verlost.");
    expect(await heldDoors()).toEqual([4, 4, 5, 5, 5]);
    const { days, free_doors } = await managed();
    expect([free_doors, days[23].owner]).toEqual([0, null]);
    const { id, name } = days[0].owner;
    expect(name.toLowerCase()).toBe([...names, "emil"][id - 1]);
    const [entry] = (await anna.get("/api/admin/audit")).json.entries;
    expect([entry.text, entry.actor.name]).toEqual(["23 Türchen für 2026 verlost.", "Anna"]);
    expect(await deal()).toBe("Es ist kein Türchen mehr frei.");
  });

  test("the lottery assigns calendar doors of disabled members to others, first to members with the fewest doors", async () => {
    for (const name of names.slice(2)) await app.createUser(name);
    await deal();
    await app.db.deleteFrom("calendar_assignments").where("user_id", "=", 4).execute();
    await app.db.updateTable("users").set({ disabled_at: 1 }).where("id", "in", [3, 4]).execute();
    await app.createUser("emil");
    // The six doors of Dora (assignments deleted) and the six of Clara (account disabled) are free.
    expect(await deal()).toBe("12 Türchen sind verlost.");
    expect(await heldDoors()).toEqual([8, 8, 8]);
  });

  test("the lottery does not assign calendar doors that have a picture or an owner or whose day has begun", async () => {
    app.clock.time = Date.parse("2026-12-22T10:00:00Z");
    anna = await logIn("anna");
    await give("2026-12-23", "ben");
    await give("2026-12-20", "ben");
    expect(await deal()).toBe("1 Türchen ist verlost.");
    const { days } = await managed();
    expect(days.slice(18).map((day: { owner: { name: string } | null }) => day.owner?.name ?? null)).toEqual([
      ...[null, "Ben", null, null, "Ben", "Anna"],
    ]);
  });

  test("two simultaneous lotteries assign no calendar door twice", { tags: "postgres" }, async () => {
    const answers = await Promise.all([deal(), deal()]);
    expect(answers.toSorted()).toEqual(["24 Türchen sind verlost.", "Es ist kein Türchen mehr frei."]);
    expect(await heldDoors()).toEqual([12, 12]);
  });
});

describe("own doors", () => {
  beforeEach(async () => {
    await give("2026-12-05", "ben");
    await give("2026-12-06", "anna");
  });

  test("only the member who filled a calendar door sees its picture before its day", async () => {
    expect(await ownDoors(ben)).toEqual([{ ...ownDoor, date: "2026-12-05" }]);
    const answer = await fill(ben, "2026-12-05");
    expect([answer.status, answer.json]).toEqual([201, { message: "Dein Bild hängt." }]);
    const [{ picture }] = await ownDoors(ben);
    const seen = await ben.get(picture);
    expect([seen.status, seen.headers["content-type"]]).toEqual([200, "image/webp"]);
    expect((await anna.get(picture)).status).toBe(404);
    const { screen } = await app.db.selectFrom("calendar_pictures").select("screen").executeTakeFirstOrThrow();
    expect((await sharp(screen).metadata()).exif).toBeUndefined();

    await fill(ben, "2026-12-05");
    expect((await ben.get(picture)).status).toBe(404);
    expect((await ben.delete(`${own}/2026-12-05`)).json).toEqual({ message: "Dein Bild ist abgenommen." });
    expectRefusal(await ben.delete(`${own}/2026-12-05`), 404, "Nicht gefunden.");
    expect(await ownDoors(ben)).toEqual([{ ...ownDoor, date: "2026-12-05", can_restore: true }]);
  });

  test("other members get the same answers for a filled and an empty calendar door before its day", async () => {
    const clara = await app.createMember("clara");
    const told = async () => {
      const answers = [await clara.get(doors), await clara.get(own), await clara.get(`${doors}?year=2026`)];
      const early = await clara.post("/api/christmas-calendar/open/2026-12-05");
      return [...answers, early].map(({ status, text, headers }) => [status, text, headers["content-length"]]);
    };
    const before = await told();
    expect(await images(clara)).toEqual(calendarDays(2026).map((date) => ({ date, url: "" })));
    await fill(ben, "2026-12-05");
    expect(await told()).toEqual(before);
    expect(before[0]![1]).toContain('"own_doors":[]');
    expect(before[3]![0]).toBe(403);
  });

  test.each(["2026-12-06", "2026-12-07", "2025-12-05", "2026-12-25", "heute"])(
    "rejects a picture for a calendar door that is not the member's own (%s)",
    async (date) => {
      await hang("2026-12-07");
      expectRefusal(await fill(ben, date), 403, "Das ist nicht dein Türchen.", date);
      expectRefusal(await ben.delete(`${own}/${date}`), 403, "Das ist nicht dein Türchen.", date);
      expect((await app.db.selectFrom("calendar_pictures").select("date").execute()).map((row) => row.date)).toEqual([
        "2026-12-07",
      ]);
    },
  );

  test("a member can change the own calendar door until the last second before its day in Berlin", async () => {
    app.clock.time = Date.parse("2026-12-04T22:59:59Z");
    ben = await logIn("ben");
    expect((await fill(ben, "2026-12-05")).status).toBe(201);
    app.clock.time += 1000;
    expectRefusal(await fill(ben, "2026-12-05"), 403, "Zu spät: Der Tag deines Türchens hat begonnen.");
    expectRefusal(await ben.delete(`${own}/2026-12-05`), 403, "Zu spät: Der Tag deines Türchens hat begonnen.");
    expect(await ownDoors(ben)).toEqual([]);
    const clara = await app.createMember("clara");
    const opened = (await clara.post("/api/christmas-calendar/open/2026-12-05")).json;
    expect(opened).toMatchObject({ by: "Ben", opened: 1, members: 3 });
    expect(await imageOf(clara, "2026-12-05")).toEqual(opened);
    expect((await clara.get(opened.url)).status).toBe(200);
  });

  test("a calendar door does not show the name of a hidden or disabled member", async () => {
    expect((await fill(ben, "2026-12-05")).status).toBe(201);
    app.clock.time = Date.parse("2026-12-05T10:00:00Z");
    const clara = await app.createMember("clara");
    ben = await logIn("ben");
    await clara.post("/api/christmas-calendar/open/2026-12-05");
    const name = async () => (await imageOf(clara, "2026-12-05")).by;
    expect(await name()).toBe("Ben");
    await ben.post("/api/user/presence", { visibility: "hidden" });
    expect(await name()).toBeUndefined();
    await ben.post("/api/user/presence", { visibility: "visible" });
    await updateDisabledAt(app.db, 2, app.clock.now());
    expect(await name()).toBeUndefined();
  });

  test("a member's calendar picture of more than 5 MB is refused", async () => {
    expectErrors(await fill(ben, "2026-12-05", Buffer.alloc(5 * 1024 * 1024 + 1, 0xff)), {
      picture: ["Bild darf maximal 5 MB groß sein."],
    });
    expectErrors(await fill(ben, "2026-12-05", Buffer.from("<svg/>")), {
      picture: ["Bild muss den Dateityp jpg, jpeg, png haben."],
    });
  });

  test(
    "a member's upload is refused if an administrator takes over the calendar door during the upload",
    { tags: "postgres" },
    async () => {
      const answer = await afterReading(
        app.holdQuery,
        "sessions",
        () => fill(ben, "2026-12-05"),
        () => hang("2026-12-05", 2),
      );
      expectRefusal(answer, 403, "Das ist nicht dein Türchen.");
      expect(await ownDoors(ben)).toEqual([]);
      expect((await managed()).days[4]).toMatchObject({ owner: null, preview: expect.stringMatching(/preview/) });
    },
  );

  test("an administrator who fills an own calendar door or moves its picture still owns the door with the picture", async () => {
    await hang("2026-12-06");
    const [{ picture }] = await ownDoors(anna);
    await movePicture(anna, "2026-12-06", "2026-12-05");
    expect(await ownDoors(anna)).toEqual([{ ...ownDoor, date: "2026-12-05", picture }]);
    expect(await ownDoors(ben)).toEqual([{ ...ownDoor, date: "2026-12-06" }]);
    expect((await ben.get(picture)).status).toBe(404);
  });

  // SQLite has a single writer, so these concurrent transactions need PostgreSQL.
  test.each<[string, () => Promise<unknown>, string[]]>([
    ["replaced by the import of a whole year", () => importYear(app.context, 2026, pictures, { by: 1, at: 0 }), []],
  ])(
    "a member's picture is accepted although the calendar door is %s at the same time as the upload",
    { tags: "postgres-only" },
    async (_, change, left) => {
      await fill(ben, "2026-12-05");
      const checked = app.holdQuery("UpdateQueryNode", "calendar_assignments");
      const filled = fill(ben, "2026-12-05", await sharp(jpeg).negate().jpeg().toBuffer());
      await checked.reached;
      // The upload is complete, and its transaction locks the assignment before it stores the
      // picture.
      const locked = app.holdQuery("UpdateQueryNode", "calendar_assignments");
      checked.release();
      await locked.reached;
      const changed = change();
      await expect.poll(() => isAnyoneWaiting(app.db)).toBe(true);
      locked.release();
      await changed;
      expect((await filled).status).toBe(201);
      expect((await ownDoors(ben)).map(({ date }: { date: string }) => date)).toEqual(left);
    },
  );

  test("an administrator can take back a member's calendar door, which keeps its picture", async () => {
    await fill(ben, "2026-12-05");
    expect((await takeDoorBack(anna, "2026-12-05")).json).toEqual({ message: "Das Türchen ist wieder frei." });
    expect((await managed()).days[4]).toMatchObject({ owner: null, preview: expect.stringMatching(/preview/) });
    expect(await ownDoors(ben)).toEqual([]);
    expectRefusal(await anna.delete(`${admin}/doors/2026-12-05`), 404, "Nicht gefunden.");
    const [entry] = (await anna.get("/api/admin/audit")).json.entries;
    expect([entry.text, entry.member.name]).toEqual(["Türchen vom 5. Dezember 2026 wieder freigegeben.", "Ben"]);
  });

  test("the account export contains the member's calendar doors, and an account deletion frees them", async () => {
    await fill(ben, "2026-12-05");
    await give("2026-12-07", "ben");
    const [{ picture }] = await ownDoors(ben);
    expect((await ben.get("/api/user/export")).json.calendar_doors_filled).toEqual([
      { date: "2026-12-05", picture: new URL(picture, app.config.appUrl).href, text: null, is_hidden: false },
      { date: "2026-12-07", picture: null, text: null, is_hidden: false },
    ]);
    await ben.post("/api/user/delete", { uname: "ben", password, beers: "keep" });
    // The empty door is dealt to Anna; the filled door has no owner, but keeps its picture.
    const left = await app.db.selectFrom("calendar_assignments").select(["date", "user_id"]).orderBy("date").execute();
    expect(left).toEqual(["2026-12-06", "2026-12-07"].map((date) => ({ date, user_id: 1 })));
    expect(await managed()).toMatchObject({ free_doors: 21, members: 1 });
  });
});

test("an open calendar door shows the number of current members who have opened it", async () => {
  await hang("2026-12-01");
  app.clock.time = Date.parse("2026-12-01T10:00:00Z");
  const clients = await Promise.all([
    ...["anna", "ben"].map(logIn),
    app.createMember("clara"),
    app.createMember("dora"),
  ]);
  for (const [index, client] of clients.entries()) {
    const { opened, members } = (await client.post("/api/christmas-calendar/open/2026-12-01")).json;
    expect([opened, members]).toEqual([index + 1, 4]);
  }
  await app.db.updateTable("users").set({ disabled_at: 1 }).where("id", "=", 2).execute();
  const [image] = await images(clients[2]!);
  expect([image.opened, image.members, image.by]).toEqual([3, 3, undefined]);
  const emil = await app.createMember("emil");
  expect(await imageOf(emil, "2026-12-01")).toEqual({ date: "2026-12-01", url: "" });
});

import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";

import { hours } from "#server/time.ts";
import { findManagedDay, hangPicture, movePicture, takeDoorBack, takePictureDown } from "#test/calendar.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createFakePushService } from "#test/fake-push-service.ts";
import { afterReading } from "#test/held-query.ts";
import { connectPage, subscribe } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";
import { jobs } from "./jobs.ts";

const admin = "/api/admin/calendar";
const own = "/api/christmas-calendar/own-doors";
const day = "2026-12-05";
const other = "2026-12-06";

const paint = (background: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .jpeg()
    .toBuffer();
const [red, blue] = (await Promise.all(["#c00", "#00c"].map(paint))) as [Buffer, Buffer];

const cleanUp = () => jobs.find(({ name }) => name.startsWith("delete"))!.run(app.context);

let app: TestApp;
let anna: Client;
let hannes: Client;
let ben: Client;

/** Anna (id 1) and Hannes (id 2) are administrators; calendar door 5 belongs to Ben (id 3). */
beforeEach(async () => {
  app = await createTestApp();
  app.clock.time = Date.parse("2026-11-24T10:00:00Z");
  anna = await app.createMember("anna", ["admin"]);
  hannes = await app.createMember("hannes", ["admin"]);
  ben = await app.createMember("ben");
  await app.rememberSessions();
  await app.db.insertInto("calendar_assignments").values({ date: day, user_id: 3 }).execute();
});

const form = (file: Buffer, texts = {}) => multipartForm(file, { field: "picture", texts });
const fill = (date = day, file = red, texts = {}) => sendForm(ben, form(file, texts), {}, `${own}/${date}`);
/** Puts a picture behind a door without a door version, like a page of an earlier app version. */
const hangBlindly = (date: string, query = "") => sendForm(anna, form(blue), {}, `${admin}/pictures/${date}${query}`);
const restore = (client: Client, date = day) => client.post(`${admin}/pictures/${date}/restore`);
const reveal = async (client: Client, date = day): Promise<ClientResponse> =>
  client.post(`${admin}/pictures/${date}/reveal`, { version: (await findManagedDay(client, date)).version });
const noticesOf = async (client: Client) =>
  (await client.get("/api/christmas-calendar/notices")).json.map(({ text }: { text: string }) => text);
const hung = async () =>
  (await app.db.selectFrom("calendar_pictures").select("date").orderBy("date").execute()).map(({ date }) => date);
const lastAudit = async () => {
  const [entry] = (await anna.get("/api/admin/audit")).json.entries;
  return [entry.text, entry.member?.name ?? null];
};
const changed = "Türchen 5 hat sich gerade geändert. Sieh nach, was dort jetzt ist.";

describe("administrator's picture for a member's door", () => {
  test("an administrator's picture for a member's calendar door is refused unless the request confirms taking over the door", async () => {
    const answers = [await hangPicture(anna, day, blue), await hangBlindly(day)];
    for (const answer of answers) expectRefusal(answer, 409, "Türchen 5 gehört einem Mitglied und bleibt, wie es ist.");
    expectRefusal(await hangPicture(anna, day, blue, 2), 409, changed);
    expectRefusal(await hangBlindly(day, "?takes_over=3"), 409, changed);
    expect([await hung(), await noticesOf(ben)]).toEqual([[], []]);
  });

  test("taking over a member's calendar door with an administrator's picture is audited and reported to the member", async () => {
    await fill(day, red, { text: "Meine Oma" });
    expect((await hangPicture(anna, day, blue, 3)).status).toBe(201);
    expect(await findManagedDay(anna, day)).toMatchObject({ owner: null, preview: expect.any(String), text: null });
    expect(await lastAudit()).toEqual(["Türchen vom 5. Dezember 2026 übernommen und gefüllt.", "Ben"]);
    expect(await noticesOf(ben)).toEqual([
      "Die Verwaltung hat Türchen 5 übernommen und selbst gefüllt. Es ist nicht mehr deins.",
    ]);
    expect(await noticesOf(hannes)).toEqual([]);
  });

  test("an administrator can put a picture behind an own calendar door without confirming that a door is taken over", async () => {
    await app.db.insertInto("calendar_assignments").values({ date: other, user_id: 1 }).execute();
    expect((await hangPicture(anna, other, red)).status).toBe(201);
    expect((await hangPicture(anna, other, blue)).status).toBe(201);
    expect((await findManagedDay(anna, other)).owner?.id).toBe(1);
    expect(await noticesOf(anna)).toEqual([]);
  });
});

describe("stale admin page", () => {
  test("a request without the version of a calendar door cannot replace the door's picture", async () => {
    expect((await hangBlindly(other)).status).toBe(201);
    expectRefusal(await hangBlindly(other), 409, "Hinter Türchen 6 hängt schon ein Bild.");
  });

  test.each<[string, (version: string) => Promise<ClientResponse>]>([
    ["replace", (version) => hangBlindly(day, `?version=${version}`)],
    ["take over", (version) => hangBlindly(day, `?version=${version}&takes_over=3`)],
    ["take down", (version) => anna.delete(`${admin}/pictures/${day}?version=${version}`)],
    ["take back", (version) => anna.delete(`${admin}/doors/${day}?version=${version}`)],
    ["reveal", (version) => anna.post(`${admin}/pictures/${day}/reveal`, { version })],
    [
      "move",
      async (version) => {
        const { version: to_version } = await findManagedDay(anna, other);
        return anna.post(`${admin}/pictures/${day}/move`, { to: other, version, to_version });
      },
    ],
  ])(
    "an administrator's change (%s) of a calendar door is refused if the door has changed since the page loaded it",
    async (name, change) => {
      await fill();
      const { version } = await findManagedDay(anna, day);
      await fill();
      const text = name === "replace" ? "Türchen 5 gehört einem Mitglied und bleibt, wie es ist." : changed;
      expectRefusal(await change(version), 409, text);
      expect(await noticesOf(ben)).toEqual([]);
      expect((await ben.get("/api/christmas-calendar/opened-images")).json.own_doors).toHaveLength(1);
    },
  );

  test("an administrator's request without the version of a filled calendar door cannot change the door", async () => {
    await fill();
    const { version } = await findManagedDay(anna, day);
    expectRefusal(await anna.delete(`${admin}/pictures/${day}`), 409, changed);
    expectRefusal(await anna.delete(`${admin}/doors/${day}`), 409, changed);
    expectRefusal(await anna.post(`${admin}/pictures/${day}/move`, { to: other }), 409, changed);
    expect((await findManagedDay(anna, day)).version).toBe(version);
  });

  test(
    "if two administrators replace the same calendar picture at the same time, the second picture is refused",
    { tags: "postgres" },
    async () => {
      await hangPicture(anna, other, red);
      const path = `${admin}/pictures/${other}?version=${(await findManagedDay(anna, other)).version}`;
      const answers = await Promise.all([anna, hannes].map((client) => sendForm(client, form(blue), {}, path)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      const refused = answers.find(({ status }) => status === 409)!;
      expectRefusal(refused, 409, "Türchen 6 hat sich gerade geändert. Sieh nach, was dort jetzt ist.");
    },
  );
});

describe("notices for the owner of a door", () => {
  test("the owner of a calendar door sees a notice of each administrator's change until dismissing the notice", async () => {
    await fill();
    await reveal(anna);
    await movePicture(anna, day, other);
    await takePictureDown(anna, other);
    await restore(anna, other);
    await takeDoorBack(anna, other);
    await hangPicture(anna, other, blue);
    expect(await noticesOf(ben)).toEqual([
      "Die Verwaltung hat sich dein Bild hinter Türchen 5 angesehen.",
      "Die Verwaltung hat dein Türchen 5 verlegt: Es ist jetzt Türchen 6.",
      "Die Verwaltung hat dein Bild hinter Türchen 6 abgenommen.",
      "Die Verwaltung hat dein Bild hinter Türchen 6 wieder aufgehängt.",
      "Die Verwaltung hat Türchen 6 zurückgenommen. Dein Bild hängt noch dort, ohne deinen Namen.",
    ]);
    const ids = (await ben.get("/api/christmas-calendar/notices")).json.map(({ id }: { id: number }) => id);
    expect((await ben.get("/api/user/export")).json.calendar_notices).toHaveLength(5);
    await anna.delete(`/api/christmas-calendar/notices/${ids[4]}`);
    expect((await ben.delete(`/api/christmas-calendar/notices/${ids[3]}`)).status).toBe(204);
    expect(await noticesOf(ben)).toHaveLength(1);
  });

  test("the owner of a calendar door is told of an administrator's change on open pages and, unless paused, by push", async () => {
    const service = await createFakePushService();
    const loud = await createTestApp({ PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" });
    const [admins, owner] = [await loud.createMember("anna", ["admin"]), await loud.createMember("ben")];
    await owner.post("/api/push", { pushSubscription: service.subscription("ben") });
    const days = [day, other].map((date) => ({ date, user_id: 2 }));
    await loud.db.insertInto("calendar_assignments").values(days).execute();
    const page = await connectPage(loud, owner);
    await takeDoorBack(admins, day);
    await page.next("own-doors-changed");
    await expect
      .poll(() => service.received.map(({ payload }) => payload["body"]))
      .toEqual(["Die Verwaltung hat Türchen 5 zurückgenommen. Es ist nicht mehr deins."]);
  });

  test(
    "a member's calendar picture is refused if an administrator takes the door back during the upload",
    { tags: "postgres" },
    async () => {
      const answer = await afterReading(
        app.holdQuery,
        "sessions",
        () => fill(),
        () => takeDoorBack(anna, day),
      );
      expectRefusal(answer, 403, "Das ist nicht dein Türchen.");
      expect(await hung()).toEqual([]);
    },
  );
});

describe("member's picture before its day", () => {
  const preview = async (client: Client) => (await findManagedDay(client, day)).preview;
  const pictureId = async () =>
    (await app.db.selectFrom("calendar_pictures").select("id").executeTakeFirstOrThrow()).id;
  const previewOf = (id: string) => `/internal/images/calendar-preview/${id}`;

  test("before the day of a member's calendar door, administrators see that the door is filled, but not the picture", async () => {
    await fill(day, red, { text: "Meine Oma" });
    const { text } = await anna.get(`${admin}?year=2026`);
    expect(text).not.toContain(await pictureId());
    expect(text).not.toContain("Oma");
    expect(await findManagedDay(anna, day)).toMatchObject({ is_filled: true, preview: null, is_secret: true });
    expectRefusal(await anna.get(previewOf(await pictureId())), 404, "Nicht gefunden.");
  });

  test("only the administrator who reveals a member's calendar picture before its day sees it, and the member is told once", async () => {
    await fill(day, red, { text: "Meine Oma" });
    const answer = await reveal(anna);
    expect(answer.json).toEqual({ preview: previewOf(await pictureId()) });
    expect((await anna.get(answer.json.preview)).headers["content-type"]).toBe("image/webp");
    expect(await findManagedDay(anna, day)).toMatchObject({ preview: answer.json.preview, text: "Meine Oma" });
    await reveal(anna);
    expect(await noticesOf(ben)).toHaveLength(1);
    expect(await lastAudit()).toEqual(["Bild für den 5. Dezember 2026 vor seinem Tag angesehen.", "Ben"]);
    expectRefusal(await hannes.get(answer.json.preview), 404, "Nicht gefunden.");
    expect(await preview(hannes)).toBeNull();

    await fill(day, blue);
    expect(await preview(anna)).toBeNull();
    expectRefusal(await anna.get(previewOf(await pictureId())), 404, "Nicht gefunden.");
    await cleanUp();
    expect(await app.db.selectFrom("calendar_reveals").selectAll().execute()).toEqual([]);
  });

  test("all administrators see a member's calendar picture from its day on, without revealing it", async () => {
    await fill();
    app.clock.time = Date.parse("2026-12-05T10:00:00Z");
    expect((await anna.get((await preview(anna))!)).status).toBe(200);
    await reveal(anna);
    expect(await noticesOf(ben)).toEqual([]);
  });

  test("an administrator sees the picture of an own calendar door before its day", async () => {
    await app.db.updateTable("calendar_assignments").set({ user_id: 1 }).execute();
    await hangPicture(anna, day, red);
    expect([await preview(anna), await preview(hannes)]).toEqual([expect.any(String), null]);
  });
});

describe("restoring a calendar picture", () => {
  test("an administrator can restore a removed calendar picture within a day, with its text and its owner", async () => {
    await fill(day, red, { text: "Meine Oma", is_hidden: "1" });
    await takePictureDown(anna, day);
    expect(await findManagedDay(anna, day)).toMatchObject({ is_filled: false, can_restore: true });
    const ownDoor = async () => (await ben.get("/api/christmas-calendar/opened-images")).json.own_doors[0];
    expect(await ownDoor()).toMatchObject({ picture: null, text: null, is_hidden: false, can_restore: false });
    expect((await restore(hannes)).json).toEqual({ message: "Das Bild hängt wieder." });
    expect(await ownDoor()).toMatchObject({ picture: expect.any(String), text: "Meine Oma", is_hidden: true });
    expect(await lastAudit()).toEqual(["Bild vom 5. Dezember 2026 wieder aufgehängt.", "Ben"]);
    expectRefusal(await restore(anna), 409, "Hinter Türchen 5 hängt schon ein Bild.");
  });

  test("administrators cannot restore a removed calendar picture over another picture, after a change of owner, or after a day", async () => {
    const gone = "Dieses Bild lässt sich nicht mehr aufhängen.";
    await fill();
    await takePictureDown(anna, day);
    await fill(day, blue);
    expectRefusal(await restore(anna), 409, "Hinter Türchen 5 hängt schon ein Bild.");
    await takePictureDown(anna, day);
    await takeDoorBack(anna, day);
    expectRefusal(await restore(anna), 409, gone);
    expect((await findManagedDay(anna, day)).can_restore).toBe(false);

    await hangPicture(anna, other, red);
    await takePictureDown(anna, other);
    app.clock.time += hours(24) - 1;
    await cleanUp();
    expect((await findManagedDay(anna, other)).can_restore).toBe(true);
    app.clock.time += 1;
    expectRefusal(await restore(anna, other), 409, gone);
    await cleanUp();
    expect(await app.db.selectFrom("calendar_removed_pictures").selectAll().execute()).toEqual([]);
  });

  test("administrators cannot restore a calendar picture that its owner removed", async () => {
    await fill();
    await ben.delete(`${own}/${day}`);
    expect((await findManagedDay(anna, day)).can_restore).toBe(false);
    expectRefusal(await restore(anna), 409, "Dieses Bild lässt sich nicht mehr aufhängen.");
  });
});

test("open pages of administrators get an event without details for every calendar change", async () => {
  const page = await connectPage(app, hannes);
  expect(await subscribe(hannes, page, "private-admin-calendar")).toEqual({});
  const outsider = await connectPage(app, ben);
  expect(await subscribe(ben, outsider, "private-admin-calendar")).toBe(403);
  const changes = [() => fill(), () => takePictureDown(anna, day), () => anna.post(`${admin}/lottery`, { year: 2027 })];
  for (const change of changes) {
    await change();
    expect((await page.next("calendar-changed")).data).toEqual({});
  }
});

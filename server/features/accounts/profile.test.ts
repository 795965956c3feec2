import { beforeEach, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { afterReading } from "#test/held-query.ts";
import { readMails } from "#test/mailbox.ts";
import { connectSocket } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";

const me = "/api/checkLoginStatus";
const hour = 60 * 60_000;
const newPassword = "Lindenblatt und Hopfen";
let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
});

async function loggedIn(uname = "anna", headers: Record<string, string> = {}, rememberUser = false): Promise<Client> {
  const client = app.createClient(headers);
  expect((await client.post("/api/login", { uname, password, rememberUser })).status).toBe(200);
  return client;
}

const openSocket = (client: Client) => connectSocket(app, client.cookieHeader);

function changePassword(client: Client, chosen = newPassword, confirmation = chosen) {
  return client.post("/api/user/changePassword", { password: chosen, password_confirmation: confirmation });
}

async function asks(client: Client): Promise<string | null> {
  return (await client.get(me)).json.user?.uname ?? null;
}

describe("POST /api/user/update", () => {
  const form = { uname: "anna", name: "Anna", email: "anna@stammtisch.example" };

  test("saving the profile returns the saved values", async () => {
    const answer = await anna.post("/api/user/update", {
      uname: "anna.b",
      name: "  Anna  Baum ",
      email: "ab@pub.example",
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      data: {
        id: 1,
        uname: "anna.b",
        name: "Anna  Baum",
        email: "ab@pub.example",
        permissions: ["see-game-servers", "toggle-game-servers", "admin"],
        avatarId: null,
        profile_picture: null,
      },
    });
    expect((await anna.get(me)).json.user).toEqual(answer.json.data);
  });

  test("saving the profile ignores unknown fields such as permissions", async () => {
    const ben = await app.createMember("ben");
    const answer = await ben.post("/api/user/update", {
      ...form,
      uname: "ben",
      email: "ben@stammtisch.example",
      id: 1,
      permissions: ["admin"],
      profile_picture: "x",
    });
    expect(answer.json.data).toMatchObject({
      id: 2,
      permissions: ["see-game-servers", "toggle-game-servers"],
      avatarId: null,
    });
  });

  test("saving the profile changes only the fields that are listed in `changed`", async () => {
    const typed = { uname: "anna.b", name: "Anna Baum", email: "ab@pub.example" };
    const answer = await anna.post("/api/user/update", { ...typed, changed: ["name"] });
    expect(answer.json.data).toMatchObject({ ...form, name: "Anna Baum" });
    const unchanged = await anna.post("/api/user/update", { ...form, changed: [] });
    expect(unchanged.json.data).toEqual(answer.json.data);
    expect((await anna.post("/api/user/update", { ...typed, changed: ["id"] })).status).toBe(422);
  });

  test.each([
    [{ uname: "" }, { uname: ["Benutzername muss ausgefüllt werden."] }],
    [{ uname: "a" }, { uname: ["Benutzername muss mindestens 2 Zeichen lang sein."] }],
    [{ uname: "BEN" }, { uname: ["Benutzername ist bereits vergeben."] }],
    [{ name: "x".repeat(65) }, { name: ["Name darf maximal 64 Zeichen haben."] }],
    [{ name: "a\u202Eb" }, { name: ["Der gewählte Wert für Name ist ungültig."] }],
    [{ email: "Ben@Stammtisch.example" }, { email: ["E-Mail-Adresse ist bereits vergeben."] }],
    [{ email: "a@b.example,c@d.example" }, { email: ["E-Mail-Adresse muss eine gültige E-Mail-Adresse sein."] }],
    [
      { uname: "ben", email: "ben@stammtisch.example" },
      { uname: ["Benutzername ist bereits vergeben."], email: ["E-Mail-Adresse ist bereits vergeben."] },
    ],
  ])("saving the profile refuses %j with an error at the field", async (change, errors) => {
    await app.createUser("ben");
    const answer = await anna.post("/api/user/update", { ...form, ...change });
    expect(answer.status).toBe(422);
    expect(answer.json.errors).toEqual(errors);
    expect(await asks(anna)).toBe("anna");
  });

  test("a member can change the case of the user name", async () => {
    expect((await anna.post("/api/user/update", { ...form, uname: "Anna" })).json.data.uname).toBe("Anna");
  });

  test("only one of two members gets a user name that both choose concurrently", async () => {
    const ben = await app.createMember("ben");
    const answers = await Promise.all([
      anna.post("/api/user/update", { ...form, uname: "wirt" }),
      ben.post("/api/user/update", { uname: "wirt", name: "Ben", email: "ben@stammtisch.example" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("changing the email address informs both addresses and ends the member's reset links", async () => {
    // Ben requests a link first, so that the id of Anna's link differs from Anna's user id.
    await app.createUser("ben");
    await anna.post("/api/forgot-password", { email: "ben@stammtisch.example" });
    await anna.post("/api/forgot-password", { email: form.email });
    const mail = (await readMails(app)).find(({ to }) => to === form.email);
    await anna.post("/api/user/update", { ...form, email: "neu@pub.example" });
    const notices = (await readMails(app)).filter(({ subject }) => !subject.startsWith("Passwort"));
    expect(notices.map(({ to }) => to).toSorted()).toEqual(["anna@stammtisch.example", "neu@pub.example"]);
    for (const notice of notices) {
      expect(notice.subject).toBe("Deine E-Mail-Adresse wurde geändert – Stammtisch");
      expect(notice.raw).not.toContain("http");
    }
    const token = mail!.links[0]!.split("#token=")[1];
    const reset = await app
      .createClient()
      .post("/api/reset-password", { token, password: newPassword, password_confirmation: newPassword });
    expect(reset.json.errors).toHaveProperty("token");
  });

  test("a sixth change of the email address within a day is refused with an error at the field", async () => {
    const strict = await app.reopen({ RATE_LIMIT_FACTOR: "1" });
    const client = anna.through(strict);
    const moveTo = (email: string) => client.post("/api/user/update", { ...form, email });
    for (const round of [1, 2, 3, 4, 5]) expect((await moveTo(`neu-${round}@pub.example`)).status).toBe(200);
    const sixth = await moveTo("neu-6@pub.example");
    const text = "E-Mail-Adresse lässt sich höchstens 5 Mal am Tag ändern.";
    expectErrors(sixth, { email: [text] }, 429);
    expect((await moveTo("neu-5@pub.example")).status, "saving the rest goes on").toBe(200);
    app.clock.time += 24 * hour;
    await client.post("/api/login", { uname: "anna", password });
    expect((await moveTo("neu-6@pub.example")).status).toBe(200);
  });

  test("saving the profile keeps a field that another page of the member saves concurrently", async () => {
    const save = () => anna.post("/api/user/update", { ...form, name: "Anna Baum", changed: ["name"] });
    const saved = await afterReading(app.holdQuery, "sessions", save, () =>
      anna.post("/api/user/update", { ...form, email: "neu@pub.example", changed: ["email"] }),
    );
    expect(saved.json.data).toMatchObject({ ...form, name: "Anna Baum", email: "neu@pub.example" });
    expect((await anna.get(me)).json.user).toEqual(saved.json.data);
    expect(await readMails(app), "only of the change").toHaveLength(2);
  });

  test("saving the profile is refused if the session ends during the request", async () => {
    const other = await loggedIn();
    const save = () => other.post("/api/user/update", { ...form, email: "neu@pub.example" });
    const saved = await afterReading(app.holdQuery, "sessions", save, () => changePassword(anna));
    expect(saved.status).toBe(401);
    expect((await anna.get(me)).json.user.email).toBe(form.email);
  });
});

describe("recent password", () => {
  const form = { uname: "anna", name: "Anna", email: "anna@stammtisch.example" };

  test.each([
    ["/api/user/update", { ...form, uname: "anders" }],
    ["/api/user/update", { ...form, email: "anders@pub.example" }],
    ["/api/user/changePassword", { password: newPassword, password_confirmation: newPassword }],
  ])("%s requires the password again after three hours", async (path, body) => {
    const remembered = await loggedIn("anna", {}, true);
    app.clock.time += 3 * hour - 1000;
    expect((await remembered.post("/api/user/update", { ...form, name: "Anna B" })).status).toBe(200);
    app.clock.time += 1000;
    const asked = await remembered.post(path, body);
    expectRefusal(asked, 423, "Bitte bestätige dein aktuelles Passwort.");
    const wrong = await remembered.post("/api/user/confirmPassword", { password: "nicht dieses" });
    expectErrors(wrong, { password: ["Das Passwort ist falsch."] });
    expect((await remembered.post(path, body)).status).toBe(423);
    const before = remembered.cookieHeader;
    expect((await remembered.post("/api/user/confirmPassword", { password })).status).toBe(200);
    expect((await remembered.post(path, body)).status).toBe(200);

    const copied = app.createClient();
    const stale = await copied.send("GET", me, { headers: { cookie: before } });
    expect(stale.json).toEqual({ user: null });
  });

  test("changing only the displayed name does not require entering the password again after three hours", async () => {
    const remembered = await loggedIn("anna", {}, true);
    app.clock.time += 20 * 24 * hour;
    expect((await remembered.post("/api/user/update", { ...form, name: "Anna B" })).status).toBe(200);
  });

  test("confirming the password neither closes the socket nor extends the lifetime of the session cookie", async () => {
    const remembered = await loggedIn("anna", {}, true);
    const socket = await openSocket(remembered);
    app.clock.time += 10 * 24 * hour;
    const answer = await remembered.post("/api/user/confirmPassword", { password });
    expect(String(answer.headers["set-cookie"])).toMatch(
      new RegExp(`session=[\\w-]{43};.* Max-Age=${20 * 24 * 3600}`, "i"),
    );
    await socket.flush();
  });
});

describe("POST /api/user/changePassword", () => {
  test("changing the password ends all other sessions and their sockets, and informs the member by mail", async () => {
    const others = [await loggedIn(), await loggedIn("anna", {}, true), await loggedIn()];
    const ben = await app.createMember("ben");
    const sockets = await Promise.all([...others, anna, ben].map(openSocket));
    const before = anna.cookieHeader;

    const answer = await changePassword(anna);
    expect([answer.status, answer.json]).toEqual([200, { message: "Passwort aktualisiert." }]);
    expect(await Promise.all(sockets.slice(0, 3).map(({ closed }) => closed))).toEqual([4009, 4009, 4009]);
    for (const other of others) expect((await other.get("/api/beercounter/counters")).status).toBe(401);
    expect(await asks(anna)).toBe("anna");
    expect((await app.createClient().send("GET", me, { headers: { cookie: before } })).json.user).toBeNull();
    await Promise.all(sockets.slice(3).map((socket) => socket.flush()));

    expect((await app.createClient().post("/api/login", { uname: "anna", password })).status).toBe(422);
    expect((await app.createClient().post("/api/login", { uname: "anna", password: newPassword })).status).toBe(200);
    const [notice, ...more] = await readMails(app);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({
      to: "anna@stammtisch.example",
      subject: "Dein Passwort wurde geändert – Stammtisch",
      links: [],
    });
    expect(notice!.raw).toContain("20. November 2026, 20:30 Uhr");
  });

  test.each([
    ["", "Passwort muss ausgefüllt werden."],
    ["IloveYou", "Passwort wurde in einem Datenleck gefunden. Bitte wähle ein anderes Passwort."],
    ["annaanna!", "Passwort ist zu leicht zu erraten."],
  ])("POST /api/user/changePassword refuses the new password %j", async (chosen, text) => {
    const answer = await changePassword(anna, chosen);
    expect(answer.status).toBe(422);
    expect(answer.json.errors.password).toEqual([text]);
    expect((await app.createClient().post("/api/login", { uname: "anna", password })).status).toBe(200);
  });
});

describe("devices", () => {
  const phone = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0";
  const list = async (client: Client) => (await client.get("/api/user/sessions")).json;
  const end = (client: Client, id: string) => client.delete(`/api/user/sessions${id && `/${id}`}`);

  test("the list of devices has only the member's sessions and marks the current one", async () => {
    await app.createMember("ben");
    app.clock.time += 60_000;
    const mobile = await loggedIn("anna", { "user-agent": phone });
    expect(await list(mobile)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        device: "Firefox auf Android",
        created_at: "2026-11-20T19:31:00.000Z",
        last_seen_at: "2026-11-20T19:31:00.000Z",
        current: true,
      },
      expect.objectContaining({
        device: "Unbekanntes Gerät",
        last_seen_at: "2026-11-20T19:30:00.000Z",
        current: false,
      }) as object,
    ]);
  });

  test("ending a device ends the device's session and sockets", async () => {
    const mobile = await loggedIn();
    const other = (await list(anna)).find(({ current }: { current: boolean }) => !current);
    const socket = await openSocket(mobile);
    const answer = await end(anna, other.id);
    expect([answer.status, answer.json]).toEqual([200, { message: "Gerät abgemeldet." }]);
    expect(await socket.closed).toBe(4009);
    expect(await asks(mobile)).toBeNull();
    expect((await end(anna, other.id)).status).toBe(404);
    expect(await list(anna)).toHaveLength(1);
  });

  test("a member can end all devices except the current one at once", async () => {
    const others = [await loggedIn(), await loggedIn()];
    expect((await end(anna, "")).status).toBe(200);
    expect(await Promise.all(others.map(asks))).toEqual([null, null]);
    expect(await asks(anna)).toBe("anna");
  });

  test("a member cannot end another member's device", async () => {
    const ben = await app.createMember("ben");
    const [bens] = await list(ben);
    expect((await end(anna, bens.id)).status).toBe(404);
    expect((await end(anna, "x")).status).toBe(404);
    expect(await asks(ben)).toBe("ben");
  });

  test("logging out another device requires a password entered within three hours, but logging out the current device does not", async () => {
    const remembered = await loggedIn("anna", {}, true);
    const other = await loggedIn("anna", {}, true);
    app.clock.time += 3 * hour;
    const devices = await list(remembered);
    const one = (isCurrent: boolean) =>
      devices.find(({ current }: { current: boolean }) => current === isCurrent).id as string;
    expect((await end(remembered, one(false))).status).toBe(423);
    expect((await end(remembered, "")).status).toBe(423);
    expect(await asks(other)).toBe("anna");
    expect((await end(remembered, one(true))).status).toBe(200);
    expect(await asks(remembered)).toBeNull();
  });
});

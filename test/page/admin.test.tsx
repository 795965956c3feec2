import { screen, waitFor, within } from "@testing-library/dom";
import sharp from "sharp";
import { beforeEach, expect, test, vi } from "vitest";

import { deactivatePrograms } from "#server/features/game-servers/store.ts";
import type { Client } from "#test/client.ts";
import { createFakeDriver, fastTimings } from "#test/fake-driver.ts";
import { fixtures } from "#test/fixtures.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { answerOnce, messageText, openPage, type OpenPage, pageText } from "./open-page.tsx";

const engine = createFakeDriver({ now: () => app.clock.now() });
let app: TestApp;
let anna: Client;
beforeEach(async () => {
  app = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings: fastTimings } });
  anna = await app.createMember("anna", ["admin"]);
});

const isGone = (role: string, name: string) => waitFor(() => expect(screen.queryByRole(role, { name })).toBeNull());
const sidebarLinks = async () =>
  within(await screen.findByRole("navigation", { name: "Seitenleiste" }))
    .getAllByRole("link")
    .map(({ textContent }) => textContent);
const isSwitchedOn = (name: string) => screen.getByRole<HTMLInputElement>("switch", { name }).checked;

async function openMember(name: string): Promise<OpenPage> {
  const page = await openPage(anna, "/admin");
  await page.fill("Suchen", name);
  await page.press(new RegExp(`^${name}`), await screen.findByRole("list", { name: "Mitglieder" }));
  await screen.findByRole("dialog", { name });
  return page;
}

test("a visitor registers with an invitation link, and the admin area lists the new member beside the invitation", async () => {
  const page = await openPage(anna, "/admin/invitations");
  await page.press("Einladen");
  await page.fill("Tage gültig", "31");
  await page.press("Link machen");
  await screen.findByText("Gültigkeit in Tagen muss zwischen 1 und 30 liegen.");
  await page.fill("Tage gültig", "3");
  await page.press("Link machen");
  await screen.findByRole("img", { name: "Einladung als QR-Code" });
  screen.getByText(/^„localhost“ erreicht nur dieses Gerät: Trag auf dem Server bei APP_URL/);

  const friend = await openPage(app.createClient(), shownPath());
  await friend.registerIda();
  await friend.logIn("ida", password);

  await openPage(anna, "/admin/invitations");
  await screen.findByText("aufgebraucht");
  within(screen.getByRole("list", { name: "Damit gekommen" })).getByText("Ida");
});

test("the invitation link on the counter page stays visible after the first friend has registered with it", async () => {
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  await page.press("Einladung machen");
  await screen.findByRole("img", { name: "Einladung als QR-Code" });
  const link = shownPath();
  const ida = { uname: "ida", name: "Ida", email: "ida@stammtisch.example", password, password_confirmation: password };
  await app.createClient().post("/api/register", { ...ida, token: link.split("=")[1] });
  await screen.findByTitle("Ida");
  expect(shownPath()).toBe(link);
});

test("an administrator revokes an invitation after a confirmation", async () => {
  const page = await openPage(anna, "/admin/invitations");
  await page.press("Einladen");
  await page.fill("Für wie viele?", "5");
  await page.press("Link machen");
  await page.press("Fertig");
  await screen.findByText(/^noch 5 Plätze/);
  await page.press("Zurückziehen");
  await page.press("Zurückziehen", await screen.findByRole("dialog"));
  await screen.findByText("zurückgezogen");
  await isGone("button", "Zurückziehen");
});

test("the late reply to a request does not close a dialog that was opened after the request was sent", async () => {
  await addServers("Keller", "Tresen");
  const page = await openPage(anna, "/admin/game-servers");
  const answers = holdAnswers();
  await page.press("Bearbeiten: Keller");
  await page.press("Speichern");
  await page.user.click(screen.getByRole("dialog", { name: "Keller" }));
  await page.press("Bearbeiten: Tresen");
  await page.fill("Adresse", "spiel.example.org");
  answers.release();
  await expect.poll(messageText).not.toBe("");
  expect(screen.queryByRole("dialog", { name: "Tresen" })).not.toBeNull();
});

test("the late reply to a removal or swap does not close a dialog that was opened after the request was sent", async () => {
  await addServers("Keller", "Tresen");
  const servers = await openPage(anna, "/admin/game-servers");
  const removal = holdAnswers();
  await servers.press("Bearbeiten: Keller");
  await servers.press("Entfernen …");
  await servers.press("Entfernen");
  await servers.user.click(screen.getByRole("dialog", { name: "Keller" }));
  await servers.press("Bearbeiten: Tresen");
  removal.release();
  await expect.poll(messageText).not.toBe("");
  expect(screen.queryByRole("dialog", { name: "Tresen" })).not.toBeNull();

  const calendar = await openPage(anna, "/admin/calendar");
  const picture = new File([await paint("#00ff00")], "tuer-2.png", { type: "image/png" });
  await calendar.user.upload(await screen.findByLabelText("Bilder für den Kalender"), picture);
  await screen.findByRole("button", { name: "Türchen 2" });
  await expect.poll(messageText).toBe("1 von 1 Bild hängt.");
  const swap = holdAnswers();
  await calendar.press("Türchen 2");
  await calendar.press("Tauschen");
  await calendar.user.click(screen.getByRole("dialog", { name: "Türchen 2" }));
  await calendar.press("Türchen 3, leer");
  swap.release();
  await expect.poll(messageText).not.toBe("1 von 1 Bild hängt.");
  expect(screen.queryByRole("dialog", { name: "Türchen 3" })).not.toBeNull();
});

test("granting the permission to switch game servers also grants the permission to see them", async () => {
  await app.createUser("ben", []);
  const page = await openMember("Ben");
  await page.user.click(screen.getByRole("switch", { name: "Game-Server schalten" }));
  await screen.findByText("Rechte gespeichert.");
  expect(isSwitchedOn("Game-Server sehen")).toBe(true);
});

test("the sidebar links to the game servers once one exists, while the member has the permission to see them", async () => {
  const ben = await app.createMember("ben", []);
  await openPage(ben, "/profile");
  expect(await sidebarLinks()).not.toContain("Game-Server");
  await anna.post("/api/admin/members/2/permissions", { permissions: ["see-game-servers"] });
  const page = await openPage(ben, "/profile");
  await page.isLive("private-game-servers");
  expect(await sidebarLinks()).not.toContain("Game-Server");
  await addServers("keller");
  await expect.poll(sidebarLinks).toContain("Game-Server");
  await anna.post("/api/admin/members/2/permissions", { permissions: [] });
  await expect.poll(sidebarLinks).not.toContain("Game-Server");
});

test("the open page of a member shows the login as soon as the account is disabled", async () => {
  const page = await openPage(await app.createMember("ben"), "/profile");
  await page.isLive();
  await anna.post("/api/admin/members/2/disabled", { disabled: true });
  await screen.findByRole("heading", { name: "Login" });
});

test("an administrator disables an account after a confirmation, and the audit log shows it", async () => {
  await app.createUser("ben");
  const page = await openMember("Ben");
  await page.press("Sperren …");
  await page.press("Sperren");
  await screen.findByText("Account gesperrt.");
  await openPage(anna, "/admin/audit");
  await expect.poll(pageText).toContain("Ben: Account gesperrt.");
});

test("a member without access to mail sets a new password through an administrator's reset link", async () => {
  await app.createUser("hannes");
  const page = await openMember("Hannes");
  await page.press("Link für neues Passwort");
  await screen.findByText(/Damit legt Hannes ein neues Passwort fest/);
  const hannes = await openPage(app.createClient(), shownPath());
  await hannes.fill("Neues Passwort", "Abendrot und Hopfen");
  await hannes.fill("Passwort bestätigen", "Abendrot und Hopfen");
  await hannes.press("Passwort speichern");
  await hannes.logIn("hannes", "Abendrot und Hopfen");
});

test("an administrator corrects a member's name, removes the picture and deletes wrongly booked beers", async () => {
  const carla = await app.createMember("carla");
  const picture = { id: fixtures.avatarId, user_id: 2, png: fixtures.png, created_at: 0 };
  await app.db.insertInto("pictures").values(picture).execute();
  await carla.post("/api/user/avatar", { id: fixtures.avatarId });
  for (const key of ["beer-one", "beer-two"])
    await carla.post("/api/beercounter/counters", {}, { "idempotency-key": key });
  const page = await openMember("Carla");
  await page.press("Berichtigen …");
  await page.press("Profilbild entfernen …");
  await page.press("Entfernen");
  await screen.findByText("Profilbild entfernt.");
  await page.press("Berichtigen …");
  await isGone("button", "Profilbild entfernen …");
  await page.press("Biere zurücknehmen …");
  await page.user.click(await screen.findByRole("checkbox", { name: "Alle" }));
  expect(screen.getAllByRole("checkbox", { checked: true })).toHaveLength(3);
  await page.press("Entfernen");
  await screen.findByText("2 Biere zurückgenommen.");
  await page.press("Berichtigen …");
  await page.fill("Name", "Carlotta");
  await page.press("Speichern");
  await screen.findByRole("dialog", { name: "Carlotta" });
});

test("before an administrator is disabled, demoted or deleted, the page lists the administrator's links that will end", async () => {
  const ben = await app.createMember("ben", ["admin"]);
  const before = await openMember("Ben");
  await before.press("Sperren …");
  await expect.poll(pageText).toContain("Ben fliegt überall sofort raus");
  expect(pageText()).not.toContain("Damit end");

  await ben.post("/api/admin/invitations", {});
  await ben.post("/api/admin/invitations", {});
  await ben.post("/api/admin/tv", { name: "Keller" });
  const ending = "Damit enden auch 2 Einladungen und 1 Fernseher-Link von";
  const profile = await openPage(ben, "/profile");
  await profile.press("Account löschen …");
  await expect.poll(pageText).toContain(`${ending} dir.`);

  const page = await openMember("Ben");
  await page.press("Sperren …");
  await screen.findByText(`${ending} Ben.`);
  await page.press("Abbrechen");
  await page.user.click(screen.getByRole("switch", { name: "Verwaltung" }));
  await screen.findByText(`${ending} Ben.`);
  await page.press("Entziehen");
  await waitFor(() => expect(isSwitchedOn("Verwaltung")).toBe(false));
});

test("the last administrator keeps the permission, and other members cannot open the admin area", async () => {
  const page = await openMember("Anna");
  await page.user.click(screen.getByRole("switch", { name: "Verwaltung" }));
  await page.press("Entziehen");
  await expect.poll(messageText).toContain("Dann hätte niemand mehr die Verwaltung.");
  await page.press("Abbrechen");
  await waitFor(() => expect(isSwitchedOn("Verwaltung")).toBe(true));

  await openPage(await app.createMember("ben"), "/admin/invitations");
  await screen.findByRole("heading", { name: "Nope." });
  expect(await sidebarLinks()).not.toContain("Verwaltung");
});

test("pictures uploaded together fill the empty calendar doors, and a message names the refused pictures", async () => {
  const page = await openPage(anna, "/admin/calendar");
  const files = [
    new File([await paint("#00ff00")], "oma.png", { type: "image/png" }),
    new File([await paint("#ff0000")], "tuer-2.png", { type: "image/png" }),
    ...[1, 2].map(() => new File(["no picture"], "kaputt.png", { type: "image/png" })),
  ];
  await page.user.upload(await screen.findByLabelText("Bilder für den Kalender"), files);
  const sentence = "2 von 4 Bildern hängen. kaputt.png, kaputt.png: Bild muss den Dateityp";
  await expect.poll(messageText).toContain(sentence);
  await expect.poll(pageText).toContain("2 von 24 Türchen sind voll.");
  const hung = await app.db.selectFrom("calendar_pictures").select(["date", "screen"]).orderBy("date").execute();
  expect(hung.map(({ date }) => date)).toEqual(["2026-12-02", "2026-12-04"]);
  expect((await sharp(hung[0]!.screen).stats()).dominant).toMatchObject({ r: 248, g: 8, b: 8 });
  await page.press(/^Türchen 2(,|$)/);
  await page.press("Bild abnehmen");
  await screen.findByRole("button", { name: "Türchen 2, leer" });
});

test("an upload of calendar pictures continues on another page, which tells the result, and is forgotten after the session", async () => {
  const page = await openPage(anna, "/admin/calendar");
  const picture = new File([await paint("#00ff00")], "oma.png", { type: "image/png" });
  const broken = new File(["no picture"], "kaputt.png", { type: "image/png" });
  const answers = holdAnswers();
  await page.user.upload(await screen.findByLabelText("Bilder für den Kalender"), [picture, broken]);
  await page.user.click(screen.getByRole("link", { name: "Technik" }));
  await page.user.click(await screen.findByRole("link", { name: /^Fernseher/ }));
  await screen.findByText(/^Noch kein Fernseher/);
  answers.release();
  await expect.poll(messageText).toContain("1 von 2 Bildern hängt. kaputt.png: Bild muss den Dateityp");

  await page.user.click(screen.getByRole("link", { name: "Kalender" }));
  const late = holdAnswers("/admin/calendar/");
  const last = new File(["no picture"], "spät.png", { type: "image/png" });
  await page.user.upload(await screen.findByLabelText("Bilder für den Kalender"), last);
  await page.user.click(screen.getByRole("menuitem", { name: "Logout" }));
  await page.user.click(await screen.findByRole("link", { name: "Login" }));
  await page.logIn("anna", password);
  late.release();
  await page.user.click(await screen.findByRole("link", { name: "Verwaltung" }));
  await page.user.click(await screen.findByRole("link", { name: "Kalender" }));
  await expect.poll(pageText).toContain("1 von 24 Türchen");
  expect(screen.getByRole("button", { name: "Bilder wählen" }).getAttribute("aria-busy")).toBe("false");
  expect(messageText()).not.toContain("spät.png");
});

test("an administrator can show another calendar year during an upload of pictures, but cannot start a second upload", async () => {
  const page = await openPage(anna, "/admin/calendar");
  const picture = new File([await paint("#00ff00")], "oma.png", { type: "image/png" });
  const others = new File([await paint("#ff0000")], "opa.png", { type: "image/png" });
  const field = await screen.findByLabelText("Bilder für den Kalender");
  const answers = holdAnswers();
  await page.user.upload(field, picture);
  await page.user.upload(field, others);
  await page.press("2027");
  await screen.findByRole("button", { name: "2027", current: true });
  expect(screen.getByRole("button", { name: /^Bilder wählen/ }).getAttribute("aria-busy")).toBe("true");
  answers.release();
  await expect.poll(messageText).toBe("1 von 1 Bild hängt.");
  const hung = await app.db.selectFrom("calendar_pictures").select("screen").execute();
  expect(hung).toHaveLength(1);
  expect((await sharp(hung[0]!.screen).stats()).dominant.g).toBeGreaterThan(200);
});

test("a failed load of older audit entries shows an error, and a retry loads the entries", async () => {
  const entry = {
    action: "calendar-audio-changed",
    via: "page",
    actor_id: 1,
    at: 0,
    member_id: null,
    details: "{}",
  } as const;
  await app.db
    .insertInto("audit")
    .values(Array.from({ length: 51 }, () => entry))
    .execute();
  const page = await openPage(anna, "/admin/audit");
  await screen.findByRole("button", { name: "Ältere zeigen" });
  answerOnce(anna, "/api/admin/audit", { status: 403 });
  await page.press("Ältere zeigen");
  await screen.findByText("Die Einträge konnten gerade nicht geladen werden.");
  await page.press("Ältere zeigen");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Ältere zeigen" })).toBeNull());
  expect(pageText()).not.toContain("konnten gerade nicht");
});

test("an administrator renames and reorders game servers, and members see the new names and order", async () => {
  await addServers("Keller", "Tresen");
  const page = await openPage(anna, "/admin/game-servers");
  const names = () =>
    within(screen.getByRole("list", { name: "Game-Server" }))
      .getAllByRole("listitem")
      .map((item) => item.querySelector("strong")?.textContent);
  await page.press("Keller nach unten");
  await waitFor(() => expect(names()).toEqual(["Tresen", "Keller"]));
  await page.press("Bearbeiten: Tresen");
  await page.fill("Name", "Kegelbahn");
  await page.fill("Adresse", "nur ein Name");
  await page.press("Speichern");
  await screen.findByText("Der gewählte Wert für Adresse ist ungültig.");
  await page.fill("Adresse", "spiel.stammtisch.example:25565");
  await page.press("Speichern");
  await waitFor(() => expect(names()).toEqual(["Kegelbahn", "Keller"]));
  await isGone("dialog", "Tresen");
  await page.press("Verbindung testen: Kegelbahn");
  await expect.poll(messageText).toContain("Kegelbahn");

  await openPage(await app.createMember("carla", ["see-game-servers"]), "/game-servers");
  await screen.findByRole("heading", { name: "Kegelbahn" });
});

test("the admin area shows the command that enables a game server of a restored backup", async () => {
  await addServers("Keller");
  await app.db.updateTable("game_servers").set({ driver: "script" }).execute();
  await deactivatePrograms(app.db);
  const page = await openPage(anna, "/admin/game-servers");
  await screen.findByText("noch nicht freigegeben");
  screen.getByText("stammtisch game-server enable 1");
  await page.press("Verbindung testen: Keller");
  await expect.poll(messageText).toBe("Dieser Game-Server ist noch nicht freigegeben.");
});

/** Adds a game server for a container of each name. */
async function addServers(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    engine.set(name, {});
    const settings = { address: null, query: "none", grace: null, idle_stop: null };
    await anna.post("/api/admin/game-servers", { ref: name, display_name: name, ...settings });
  }
}

/** Requests that change data wait for their reply until `release`. */
function holdAnswers(path = "/"): { release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const send = anna.send.bind(anna);
  const held = vi.spyOn(anna, "send").mockImplementation(async (...request) => {
    const answer = await send(...request);
    if (request[0] !== "GET" && request[1].includes(path)) await promise;
    return answer;
  });
  return {
    release() {
      held.mockRestore();
      resolve();
    },
  };
}

const paint = (background: string) =>
  sharp({ create: { width: 60, height: 60, channels: 3, background } })
    .png()
    .toBuffer();

/** Returns the path without the origin. */
function shownPath(): string {
  return document.querySelector("[data-copied]")!.textContent.slice(location.origin.length);
}

import { screen, within } from "@testing-library/dom";
import { beforeEach, describe, expect, test, vi } from "vitest";

import { minutes } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { allAnswered, answerOnce, counts, messageText, openPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
  await app.rememberSessions();
});

const counters = "/api/beercounter/counters";
const drink = (client: Client) => client.post(counters);
const startParty = async (client: Client, name = "Grillen bei Ben"): Promise<number> =>
  (await client.post("/api/parties", { name })).json.id;
const join = (client: Client, id: number) => client.post(`/api/parties/${id}/members`);
const ownTotal = async (client: Client, id: number) => (await client.get(`/api/parties/${id}`)).json.own_total;
const strip = () => screen.findByRole("list", { name: "Andere Partys, die gerade laufen" });
const title = (name: string) => screen.findByRole("heading", { level: 1, name });

describe("the counter during a party", () => {
  test("the counter shows the numbers of a running party, the group's total small, and a tap changes all at once", async () => {
    for (let beer = 0; beer < 3; beer++) await drink(anna);
    app.clock.time += minutes(1);
    const id = await startParty(ben);
    await join(anna, id);
    const page = await openPage(anna, "/beercounter");
    await page.isLive();
    await expect.poll(counts).toEqual({ "party-group": "0", "party-own": "0", group: "3" });
    await title("Bier-Counter: Grillen bei Ben");
    screen.getByText("Dabei: Anna und Ben");
    const ranking = await screen.findByRole("region", { name: "Die Säufer des Abends" });
    await within(ranking).findByText("Noch sind alle nüchtern.");
    // Before the party is refetched.
    await page.press("Bier trinken");
    expect(counts()).toEqual({ "party-group": "1", "party-own": "1", group: "4" });
    expect(within(ranking).getAllByRole("listitem")[0]!.textContent).toMatch(/^Anna 1/);
    await page.press("0,0 trinken");
    expect(counts()).toMatchObject({ "party-group": "2", "party-own": "2" });
    await expect.poll(() => ownTotal(anna, id)).toBe(2);
    await drink(ben);
    await expect.poll(counts).toEqual({ "party-group": "3", "party-own": "2", group: "6" });
    const undo = screen.getAllByRole("button", { name: "Rückgängig" })[0]!;
    await page.user.click(undo);
    await expect.poll(counts).toEqual({ "party-group": "2", "party-own": "1", group: "5" });
  });

  test("the counter names the beers of guests in a party's sum, and says that the member's count is that of the party", async () => {
    const id = await startParty(anna);
    const guest = (await anna.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true })).json.id;
    const page = await openPage(anna, "/beercounter");
    await page.isLive();
    await drink(anna);
    await expect.poll(counts).toMatchObject({ "party-group": "1" });
    expect(screen.queryByText(/von Gästen/)).toBeNull();
    await anna.post(`/api/party-guests/${guest}/beers`, undefined, { "idempotency-key": "first-beer" });
    await screen.findByText("1 und 1 von Gästen");
    expect(counts()).toMatchObject({ "party-group": "2", "party-own": "1" });
    screen.getByText("bei der Party");
  });

  test("the counter adds pending taps to a party's count, and does not add them again once they are booked", async () => {
    const id = await startParty(anna);
    app.clock.time += minutes(10);
    const page = await openPage(anna, "/beercounter");
    await page.isLive();
    await expect.poll(counts).toMatchObject({ "party-group": "0" });
    const lost = vi.spyOn(anna, "send").mockRejectedValue(new TypeError("Failed to fetch"));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.now(), shouldAdvanceTime: true });
    await page.press("Bier trinken");
    const counted = { "party-group": "1", "party-own": "1", group: "1" };
    expect(counts()).toEqual(counted);
    await vi.advanceTimersByTimeAsync(10_000);
    await screen.findByText(/^1 Bier wartet auf Empfang/);
    lost.mockRestore();
    await vi.advanceTimersByTimeAsync(60_000);
    await expect.poll(() => ownTotal(anna, id)).toBe(1);
    expect(counts()).toEqual(counted);
  });

  test("the counter offers a running party to other members, who join it with one click", async () => {
    const page = await openPage(anna, "/beercounter");
    await page.isLive();
    await screen.findByText("Der erste Strich ist noch frei.");
    const id = await startParty(ben);
    const line = await strip();
    within(line).getByRole("link", { name: "Grillen bei Ben läuft" });
    expect(screen.queryByText("Der erste Strich ist noch frei.")).toBeNull();
    await page.press("Dabei sein", line);
    await expect.poll(counts).toMatchObject({ "party-group": "0" });
    expect(messageText()).toContain("Du bist dabei!");
    await anna.post(`/api/parties/${id}/home`);
    await page.press("Wieder dabei", await strip());
    await screen.findByText("Dabei: Anna und Ben");
    await ben.post(`/api/parties/${id}/end`);
    await screen.findByText("Der erste Strich ist noch frei.");
    expect(counts()).toEqual({ group: "0", own: "0" });
  });

  test.each([
    ["Ja, mitzählen", "2", true],
    ["Ab jetzt", "0", true],
    ["Abbrechen", undefined, false],
  ])(
    "a member who joins a party is asked if beers of the last two hours should count (answer: %s)",
    async (answer, total, isMember) => {
      await drink(anna);
      app.clock.time += minutes(1);
      const id = await startParty(ben);
      await drink(anna);
      app.clock.time += minutes(1);
      const page = await openPage(anna, "/beercounter");
      await page.press("Dabei sein", await strip());
      const question = await screen.findByRole("dialog", { name: "Auch die früheren Biere?" });
      within(question).getByText(
        "Du hast in den letzten zwei Stunden 2 Biere getrunken. Sollen sie bei der Party zählen?",
      );
      await page.press(answer, question);
      await expect.poll(() => counts()["party-group"]).toBe(total);
      expect((await anna.get(`/api/parties/${id}`)).json.is_member).toBe(isMember);
    },
  );

  test("the counter is the screen of the newest party at which the member is, and lists the others", async () => {
    await join(anna, await startParty(ben));
    await startParty(anna, "Balkon");
    await startParty(ben, "Keller");
    const page = await openPage(anna, "/beercounter");
    await title("Bier-Counter: Balkon");
    const others = within(await strip()).getAllByRole("listitem");
    expect(others.map(({ textContent }) => textContent)).toEqual(["Grillen bei Bendabei", "KellerläuftDabei sein"]);
    await page.press("Grillen bei Ben dabei");
    await page.press("Heimgehen", await screen.findByRole("dialog", { name: "Grillen bei Ben" }));
    await page.press("Striche behalten", await screen.findByRole("dialog", { name: "Heimgehen?" }));
    await page.press("Wieder dabei", await strip());
    await title("Bier-Counter: Balkon");
  });

  test("the counter adds quiet members to the number of people at a party without naming them", async () => {
    await anna.post("/api/user/presence", { visibility: "quiet" });
    await join(ben, await startParty(anna));
    const page = await openPage(anna, "/beercounter");
    await page.isLive();
    await screen.findByText("Dabei: Ben und 1 weitere");
    screen.getByText("+1");
    await ben.post("/api/user/presence", { visibility: "quiet" });
    await screen.findByText("Dabei: 2 Leute");
  });

  test("the counter shows the cached running party until the server replies, and requests the party after the counters", async () => {
    await startParty(anna);
    await drink(anna);
    await openPage(anna, "/beercounter");
    await expect.poll(counts).toMatchObject({ "party-group": "1" });
    const kept = { ...localStorage };
    answerOnce(anna, "/api/running-parties", new Error("no network"));
    const reopened = openPage(anna, "/beercounter");
    Object.assign(localStorage, kept);
    await reopened;
    await expect.poll(counts).toMatchObject({ "party-group": "1" });
    const calls = () => vi.mocked(fetch).mock.calls.map(([url]) => new URL(url as string, location.href).pathname);
    await expect.poll(calls).toContain("/api/running-parties");
    expect(calls().indexOf(counters)).toBeLessThan(calls().indexOf("/api/running-parties"));
    expect(counts()).toMatchObject({ "party-group": "1" });
  });
});

test("members go home from a party with their beers and return, and the ranking marks those who went home", async () => {
  const id = await startParty(ben);
  await join(anna, id);
  await drink(anna);
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  app.clock.time += minutes(1);
  await page.press("Grillen bei Ben");
  await page.press("Heimgehen", await screen.findByRole("dialog", { name: "Grillen bei Ben" }));
  await page.press("Abbrechen", await screen.findByRole("dialog", { name: "Heimgehen?" }));
  await page.press("Heimgehen");
  await page.press("Striche behalten", await screen.findByRole("dialog", { name: "Heimgehen?" }));
  // A message about the beer may follow at once.
  await expect.poll(() => page.shownMessages).toContain("Komm gut heim!");
  await title("Bier-Counter");
  expect(await ownTotal(anna, id)).toBe(1);
  await page.press("Wieder dabei", await strip());
  await title("Bier-Counter: Grillen bei Ben");
  await ben.post(`/api/parties/${id}/home`);
  await within(await screen.findByRole("region", { name: "Die Säufer des Abends" })).findByText("daheim");
});

test("a member who went home from a party can still take all beers out of it", async () => {
  const id = await startParty(ben);
  await join(anna, id);
  await drink(anna);
  app.clock.time += minutes(1);
  await anna.post(`/api/parties/${id}/home`);
  const page = await openPage(anna, `/party/${id}`);
  await screen.findByRole("button", { name: "Wieder dabei" });
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  await page.press("Doch nicht dabei");
  await page.press("Doch nicht dabei", await screen.findByRole("dialog", { name: "Doch nicht dabei" }));
  await screen.findByText("Du bist nicht dabei.");
  expect(await ownTotal(anna, id)).toBe(0);
});

test("the open sheet of a party says when somebody else ends the party, and only its managers can", async () => {
  const id = await startParty(anna);
  await join(ben, id);
  const page = await openPage(ben, "/beercounter");
  await page.isLive();
  await page.press("Grillen bei Ben");
  await screen.findByText(/gestartet von Anna/);
  expect(screen.queryByRole("button", { name: "Mehr" })).toBeNull();
  await anna.post(`/api/parties/${id}/end`);
  await screen.findByText("Die Party ist vorbei.");
  expect(screen.queryByRole("button", { name: "Heimgehen" })).toBeNull();
  await page.press("Fertig");
  await title("Bier-Counter");
});

test("beers of others update a shown party without a request", async () => {
  const id = await startParty(ben);
  await join(anna, id);
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  await within(await screen.findByRole("region", { name: "Die Säufer des Abends" })).findByText(
    "Noch sind alle nüchtern.",
  );
  await allAnswered();
  const sent = vi.spyOn(anna, "send");
  await drink(ben);
  const ranking = screen.getByRole("region", { name: "Die Säufer des Abends" });
  await expect.poll(() => within(ranking).getAllByRole("listitem")[0]!.textContent).toMatch(/^Ben 1/);
  await allAnswered();
  expect(sent.mock.calls.map(([, path]) => path)).not.toContain(`/api/parties/${id}`);
});

test("a party is refetched after an event whose version the page already knows from its counters", async () => {
  const id = await startParty(ben);
  await join(anna, id);
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  await screen.findByRole("region", { name: "Die Säufer des Abends" });
  await allAnswered();
  const change = (version: number) => {
    const data = { counterVal: 0, userId: null, userName: null, avatarId: null, version };
    page.receive("updated", data, "private-beercounter");
  };
  const sent = vi.spyOn(anna, "send");
  const fetched = () => sent.mock.calls.map(([, path]) => path);
  await app.db.updateTable("beer_group").set({ version: 100 }).execute();
  change(99);
  await expect.poll(fetched).toEqual(expect.arrayContaining(["/api/beercounter/counters", `/api/parties/${id}`]));
  await allAnswered();
  await app.db.updateTable("party_members").set({ counts_until: app.clock.time }).where("user_id", "=", 2).execute();
  change(100);
  await within(screen.getByRole("region", { name: "Die Säufer des Abends" })).findByText("daheim");
});

test("the counter offers to join a new party once: in the announcement, and afterwards in the list of parties", async () => {
  const page = await openPage(anna, "/beercounter");
  await page.isLive();
  await startParty(ben);
  await expect.poll(messageText).toContain("Ben startet die Party „Grillen bei Ben“.");
  const listed = await within(await strip()).findByText("Dabei sein");
  expect(listed.closest("button")!.dataset["offered"]).toBeDefined();
  await page.press("Schließen");
  await expect.poll(() => listed.closest("button")!.dataset["offered"]).toBeUndefined();
});

test("a member on any page joins a new party with one click on the party's announcement", async () => {
  const page = await openPage(anna, "/game-servers");
  await page.isLive();
  const id = await startParty(ben);
  await expect.poll(messageText).toContain("Ben startet die Party „Grillen bei Ben“.");
  await page.press("Dabei sein");
  await expect.poll(messageText).toContain("Du bist dabei!");
  expect((await anna.get(`/api/parties/${id}`)).json.is_member).toBe(true);
});

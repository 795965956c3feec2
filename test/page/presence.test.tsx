import { screen, waitFor, within } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import type { Visibility } from "#contract/visibility.ts";
import type { Client } from "#test/client.ts";
import { connectPage, subscribe } from "#test/socket-client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { allAnswered, answerOnce, counts, messageText, openPage, type OpenPage, pageText } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let ben: Client;
beforeEach(async () => {
  app = await createTestApp();
  [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
});

const drink = (client: Client) => client.post("/api/beercounter/counters");
const become = (client: Client, visibility: Visibility) => client.post("/api/user/presence", { visibility });
const openCounter = async (client: Client): Promise<OpenPage> => {
  const page = await openPage(client, "/beercounter");
  await page.isLive();
  return page;
};

const presence = "presence-stammtisch";

const requestedPaths = (): string[] =>
  vi.mocked(fetch).mock.calls.map(([url]) => new URL(url as string, location.href).pathname);

test("The counter card shows other members who have the app open", async () => {
  const page = await openPage(anna, "/beercounter");
  await page.isLive("presence-stammtisch");
  const socket = await connectPage(app, ben);
  await subscribe(ben, socket, "presence-stammtisch");
  const card = await screen.findByRole("region", { name: "Zähler" });
  await within(card).findByText("Gerade hier: Ben");
});

test("The counter card shows the number of open pages if the presence channel of a hosted realtime service is full", async () => {
  const config = (await anna.get("/api/config")).json;
  const realtime = { ...config.realtime, wsHost: "realtime.example" };
  answerOnce(anna, "/api/config", { status: 200, text: JSON.stringify({ ...config, realtime }) });
  const page = await openCounter(anna);
  const card = within(await screen.findByRole("region", { name: "Zähler" }));
  await card.findByText("Der erste Strich ist noch frei.");
  const ids = Array.from({ length: 100 }, (_, index) => String(index + 1));
  const hash = Object.fromEntries(ids.map((id) => [id, { name: `Guest ${id}`, avatarId: null }]));
  page.receive("pusher_internal:subscription_succeeded", { presence: { ids, hash, count: 100 } }, presence);
  await card.findByText(/^Gerade hier: Guest \d+, Guest \d+ und andere$/);
  expect(card.queryByText(/offene Seiten/)).toBeNull();
  page.receive("pages-counted", { count: 134 }, "private-beercounter");
  page.receive("pusher_internal:subscription_succeeded", { presence: { ids: [], hash: {}, count: 0 } }, presence);
  await waitFor(() => expect(card.getAllByText("134 offene Seiten")).toHaveLength(2));
});

test("The counter card of a page without a connection does not claim that the member is alone", async () => {
  const { user } = (await anna.get("/api/checkLoginStatus")).json;
  localStorage.setItem("stammtisch.mine.user", JSON.stringify(user));
  vi.spyOn(anna, "send").mockRejectedValue(new TypeError("Failed to fetch"));
  await openPage(anna, "/beercounter", { inSameBrowser: true });
  const card = await screen.findByRole("region", { name: "Zähler" });
  await within(card).findByText("Das letzte Bier ist gerade unbekannt.");
});

test("Beers booked by others during a lost connection are shown after reconnecting, without a request for the counters", async () => {
  await drink(anna);
  const page = await openCounter(anna);
  await screen.findByText(/^Zuletzt: du/);
  const before = requestedPaths().length;
  page.interrupt();
  await drink(ben);
  await expect.poll(counts).toEqual({ group: "2", own: "1" });
  await screen.findByText(/^Zuletzt: Ben/);
  expect(requestedPaths().slice(before)).not.toContain("/api/beercounter/counters");
});

test("A page reconnects within seconds each time a hosted realtime service closes its socket", async () => {
  const page = await openCounter(anna);
  for (const total of ["1", "2"]) {
    page.sendOff();
    await drink(ben);
    await expect.poll(counts).toEqual({ group: total, own: "0" });
  }
});

test("Changes from the member's other device during a lost connection are shown after reconnecting", async () => {
  const page = await openCounter(ben);
  await page.isLive("#server-to-user-2");
  page.interrupt();
  await become(ben, "hidden");
  await expect.poll(pageText).toContain("Du bist unsichtbar");
});

test("A page that reconnects without changes requests neither the member nor the group settings", async () => {
  const page = await openCounter(ben);
  await page.isLive("#server-to-user-2");
  await allAnswered();
  // A slow first request counts as offline, and later requests are then repeated.
  await waitFor(() => expect(screen.queryByText(/^Keine Verbindung/)).toBeNull());
  const before = requestedPaths().length;
  page.interrupt();
  await page.isLive("#server-to-user-2", 2);
  await allAnswered();
  for (const path of ["/api/checkLoginStatus", "/api/config"])
    expect(requestedPaths().slice(before)).not.toContain(path);
});

test("A quiet member sees no other members until being visible again", async () => {
  const socket = await connectPage(app, anna);
  await subscribe(anna, socket, "presence-stammtisch");
  await openCounter(ben);
  await screen.findByText("Gerade hier: Anna");
  await become(ben, "quiet");
  await waitFor(() => expect(screen.queryByText("Gerade hier: Anna")).toBeNull());
  await become(ben, "visible");
  await screen.findByText("Gerade hier: Anna");
});

test("Toasting back from the message about another member's beer sends a toast and books no beer", async () => {
  const socket = await connectPage(app, ben);
  const page = await openCounter(anna);
  await drink(ben);
  await expect.poll(messageText).toContain("Prost von Ben!");
  await page.press("Prost zurück");
  await expect.poll(messageText).toContain("Prost, Ben!");
  expect((await socket.next("toasted")).data).toMatchObject({ userId: 1, userName: "Anna" });
  await expect.poll(counts).toEqual({ group: "1", own: "0" });
});

test("A member who logs in after another member on the same page is not offered that member's pending toasts", async () => {
  await app.createUser("carla");
  const page = await openCounter(anna);
  await drink(ben);
  await screen.findByRole("button", { name: /Ben.*Prost zurück/ });
  await page.user.click(screen.getByRole("menuitem", { name: "Logout" }));
  await page.user.click(await screen.findByRole("link", { name: "Login" }));
  await page.logIn("carla", password);
  const card = within(screen.getByRole("region", { name: "Zähler" }));
  expect(card.queryByRole("button", { name: /Prost zurück/ })).toBeNull();
});

test("A member who receives a toast sees a message", async () => {
  const page = await openCounter(ben);
  await page.isLive("#server-to-user-2");
  await drink(ben);
  await expect.poll(() => counts()["own"]).toBe("1");
  await anna.post("/api/members/2/toast");
  await expect.poll(messageText).toContain("Anna prostet zurück!");
});

test("A member chooses to be hidden, which the counter then shows, and a failed choice is undone", async () => {
  const own = await openPage(ben, "/profile");
  const radio = async (name: string) => screen.findByRole<HTMLInputElement>("radio", { name });
  await own.user.click(await radio("Unsichtbar"));
  await expect.poll(async () => (await ben.get("/api/checkLoginStatus")).json.user.visibility).toBe("hidden");
  await waitFor(async () => expect((await radio("Still")).getAttribute("aria-disabled")).toBeNull());
  answerOnce(ben, "/api/user/presence", new Error("no network"));
  await own.user.click(await radio("Still"));
  await expect.poll(messageText).toContain("Keine Verbindung");
  expect((await radio("Unsichtbar")).checked).toBe(true);
  await openCounter(ben);
  await screen.findByRole("link", { name: "Du bist unsichtbar" });
});

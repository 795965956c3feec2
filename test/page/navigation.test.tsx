import { screen, waitForElementToBeRemoved } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { counts, openPage, pageText } from "./open-page.tsx";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

const address = () => location.pathname + decodeURIComponent(location.search);

test("A visitor who opens a member's page is asked to log in, and then led to that page, also over plain http", async () => {
  // Where browsers have no such function.
  vi.spyOn(crypto, "randomUUID").mockImplementation(() => expect.fail("There is no randomUUID."));
  await app.createUser("greta");
  const page = await openPage(app.createClient(), "/profile");
  await expect.poll(address).toBe("/login?redirectedFrom=/profile");
  await page.fill("Benutzername", "greta");
  await page.fill("Passwort", password);
  await page.press("Login", screen.getByRole("main"));
  await expect.poll(address).toBe("/profile");
  await expect.poll(() => document.title).toBe("Profil – Stammtisch");
});

test("An answer that was on its way before the login does not log the page out", async () => {
  await app.createUser("greta");
  const client = app.createClient();
  const page = await openPage(client, "/login");
  const mayArrive = Promise.withResolvers<void>();
  const arrived = vi.fn();
  const send = client.send.bind(client);
  vi.spyOn(client, "send").mockImplementation(async (method, path, options) => {
    const answer = await send(method, path, options);
    if (path === "/api/checkLoginStatus") await mayArrive.promise.then(arrived);
    return answer;
  });
  dispatchEvent(new Event("online"));
  await page.logIn("greta", password);
  const push = vi.spyOn(history, "pushState");
  const replace = vi.spyOn(history, "replaceState");
  mayArrive.resolve();
  await expect.poll(() => arrived).toHaveBeenCalled();
  await page.press("Bier trinken");
  await expect.poll(counts).toEqual({ group: "1", own: "1" });
  expect(JSON.stringify([...push.mock.calls, ...replace.mock.calls])).not.toContain("/login");
});

test("A page without connection is back with an answer, also while a newer question hangs", async () => {
  await openPage(await app.createMember("greta"), "/profile");
  dispatchEvent(new Event("offline"));
  const notice = /^Keine Verbindung/;
  await screen.findByText(notice);
  const mayArrive = Promise.withResolvers<void>();
  let answered = mayArrive.promise;
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
    await answered;
    return fetch(...request);
  });
  dispatchEvent(new Event("online"));
  answered = new Promise(() => {});
  dispatchEvent(new Event("online"));
  mayArrive.resolve();
  await waitForElementToBeRemoved(() => screen.queryByText(notice));
});

test("A visitor sees the wrong password at its field and keeps what was typed", async () => {
  const page = await openPage(app.createClient(), "/login");
  await page.fill("Benutzername", "greta");
  await page.fill("Passwort", "not-the-password");
  await page.press("Login", screen.getByRole("main"));
  const refusal = "Diese Kombination aus Zugangsdaten wurde nicht in unserer Datenbank gefunden.";
  await expect.poll(pageText).toContain(refusal);
  expect(screen.getByLabelText<HTMLInputElement>("Benutzername").value).toBe("greta");
});

test("A member is led from the visitors' pages to the counter, and home after logging out", async () => {
  const greta = await app.createMember("greta");
  for (const path of ["/", "/login", "/dashboard", "/password-reset"]) {
    await openPage(greta, path);
    await expect.poll(address).toBe("/beercounter");
  }
  const page = await openPage(greta, "/beercounter");
  await page.user.click(await screen.findByRole("menuitem", { name: "Logout" }));
  await expect.poll(address).toBe("/");
  await openPage(greta, "/beercounter");
  await expect.poll(address).toBe("/login?redirectedFrom=/beercounter");
});

test("Who goes back before the next page is there does not see it being waited for any more", async () => {
  const page = await openPage(await app.createMember("greta"), "/profile");
  const { navigate, trackHistory } = await import("#web/platform/location.ts");
  trackHistory();
  navigate("/profile");
  const { routes } = await import("#web/routes.tsx");
  const next = routes.find(({ path }) => path === "/statistics")!.page;
  vi.spyOn(next, "loaded", "get").mockReturnValue(undefined);
  vi.spyOn(next, "load").mockReturnValue(new Promise(() => {}));
  const isOnTheWay = () => screen.getByRole("banner").querySelector("[class*=progress]") !== null;
  const { state } = history;
  await page.user.click((await screen.findAllByRole("link", { name: "Statistik" }))[0]!);
  await expect.poll(isOnTheWay).toBe(true);
  // The button of the browser, which this document does not have.
  history.replaceState(state, "", "/profile");
  dispatchEvent(new PopStateEvent("popstate", { state }));
  await expect.poll(isOnTheWay).toBe(false);
});

test("An address of no page is an error page", async () => {
  await openPage(app.createClient(), "/gibt/es/nicht");
  await expect.poll(pageText).toContain("ERROR 404 | Site not found");
});

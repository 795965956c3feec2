import { screen, waitForElementToBeRemoved } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { counts, goBackTo, openPage, pageText } from "./open-page.tsx";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

const address = () => location.pathname + decodeURIComponent(location.search);

test("A visitor who opens a page for members gets to it after the login, even over plain http", async () => {
  // As without https.
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

test("The late reply to a request that was sent before the login does not log the member out", async () => {
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

test("Any reply of the server removes the offline notice, even if a newer request is still pending", async () => {
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

test("A failed login shows the error at the form field and keeps the user name", async () => {
  const page = await openPage(app.createClient(), "/login");
  await page.fill("Benutzername", "greta");
  await page.fill("Passwort", "not-the-password");
  await page.press("Login", screen.getByRole("main"));
  const refusal = "Diese Kombination aus Zugangsdaten wurde nicht in unserer Datenbank gefunden.";
  await expect.poll(pageText).toContain(refusal);
  expect(screen.getByLabelText<HTMLInputElement>("Benutzername").value).toBe("greta");
});

test("A member is redirected from visitors' pages to the counter, and to the start page after logging out", async () => {
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

test("Navigating back before the next page has loaded hides the progress bar", async () => {
  const page = await openPage(await app.createMember("greta"), "/profile");
  vi.spyOn(page.router.routesByPath["/statistics"].options, "beforeLoad").mockReturnValue(new Promise(() => {}));
  const isOnTheWay = () => screen.getByRole("banner").querySelector("[class*=progress]") !== null;
  const { state } = history;
  await page.user.click((await screen.findAllByRole("link", { name: "Statistik" }))[0]!);
  await expect.poll(isOnTheWay).toBe(true);
  goBackTo("/profile", state);
  await expect.poll(isOnTheWay).toBe(false);
});

test("An unknown address shows the page for error 404", async () => {
  await openPage(app.createClient(), "/gibt/es/nicht");
  await expect.poll(pageText).toContain("ERROR 404 | Site not found");
});

test.each([
  ["/party?id=1", "/party/1"],
  ["/member?id=2", "/members/2"],
  ["/party?id=0", "/party?id=0"],
  ["/statistics?zeitraum=WOCHE&am=heute", "/statistics"],
  ["/statistics?zeitraum=jahr&am=2026-11-21", "/statistics?zeitraum=jahr&am=2026-11-21"],
])("the address %s (from an earlier version or mistyped) redirects to %s", async (path, target) => {
  await openPage(await app.createMember("greta"), path);
  await screen.findByRole("heading", { level: 1 });
  await expect.poll(address).toBe(target);
});

test.each(["/profile/", "/Profile", "/PROFILE/"])("the address %s opens the page /profile", async (path) => {
  await openPage(await app.createMember("greta"), path);
  await screen.findByRole("heading", { level: 1, name: "Profil" });
});

test.each(["/party/0", "/party/abc", "/party/1234567890", "/members/7e1"])(
  "the address %s shows the page for error 404",
  async (path) => {
    await openPage(await app.createMember("greta"), path);
    await expect.poll(pageText).toContain("ERROR 404 | Site not found");
    expect(address()).toBe(path);
  },
);

test("a visitor who opens the link of a party gets to the party after the login", async () => {
  const [greta] = [await app.createMember("greta"), await app.createMember("hugo")];
  const { id } = (await greta.post("/api/parties", { name: "Grillen" })).json;
  for (const path of [`/party/${id}`, `/party?id=${id}`]) {
    const page = await openPage(app.createClient(), path);
    await expect.poll(address).toBe(`/login?redirectedFrom=${path}`);
    await page.fill("Benutzername", "hugo");
    await page.fill("Passwort", password);
    await page.press("Login", screen.getByRole("main"));
    await screen.findByRole("heading", { level: 1, name: "Grillen" });
    expect(address()).toBe(`/party/${id}`);
  }
});

test("a page whose session ended elsewhere shows the login, and a page that the member may not open keeps its address", async () => {
  const greta = await app.createMember("greta");
  await openPage(greta, "/admin?a=b");
  await expect.poll(() => document.title).toBe("Nope. – Stammtisch");
  expect(address()).toBe("/admin?a=b");
  await openPage(greta, "/profile#passkeys");
  await screen.findByRole("heading", { level: 1, name: "Profil" });
  await app.db.deleteFrom("sessions").execute();
  dispatchEvent(new Event("online"));
  await screen.findByRole("heading", { level: 1, name: "Login" });
  expect(address() + location.hash).toBe("/login?redirectedFrom=/profile#passkeys");
});

import { screen } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import { createInvitation } from "#server/features/accounts/invitation-actions.ts";
import { createResetLink } from "#server/features/accounts/reset-actions.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { goBackTo, openPage, type OpenPage, pageText } from "./open-page.tsx";

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});

const address = () => location.pathname + location.search + location.hash;
const tokenField = () => screen.findByLabelText<HTMLInputElement>("Anmelde-Token");

/** Changes with every visit. */
function recordVisits(): readonly string[] {
  const visits = [address()];
  const { pushState, replaceState } = history;
  vi.spyOn(history, "pushState").mockImplementation((...entry) => {
    pushState.apply(history, entry);
    visits.push(address());
  });
  vi.spyOn(history, "replaceState").mockImplementation((...entry) => {
    replaceState.apply(history, entry);
    visits.splice(-1, 1, address());
  });
  return visits;
}

async function createInvitationPath(): Promise<string> {
  const { token } = await createInvitation(app.context, { permissions: [], days: 1, uses: 1, createdBy: null });
  return `/register#token=${token}`;
}

async function createResetPath(uname: string): Promise<string> {
  const link = await createResetLink(app.db, app.context, await app.createUser(uname), { by: null });
  const { pathname, hash } = new URL(link!.url);
  return pathname + hash;
}

async function choosePassword(page: OpenPage): Promise<void> {
  await page.fill("Neues Passwort", password);
  await page.fill("Passwort bestätigen", password);
  await page.press("Passwort speichern");
}

test("an invitation's token stays in the address, for a reload and for the way back from the login page", async () => {
  const path = await createInvitationPath();
  const page = await openPage(app.createClient(), path);
  const visits = recordVisits();
  const invited = "Du bist zu „Stammtisch“ eingeladen.";
  await screen.findByText(invited);
  expect(address()).toBe(path);
  const { state } = history;
  await page.user.click(screen.getByRole("link", { name: /Zum Login/ }));
  await screen.findByRole("heading", { name: "Login" });
  expect(visits).toEqual([path, "/login"]);
  goBackTo(path, state);
  await screen.findByText(invited);
  expect(address()).toBe(path);
});

test("an invitation's token is removed from the browser history after registering", async () => {
  const page = await openPage(app.createClient(), await createInvitationPath());
  const visits = recordVisits();
  await page.registerIda();
  await screen.findByRole("heading", { name: "Login" });
  expect(visits).toEqual(["/login"]);
});

test("a reset link's token stays in the address, and is removed from the browser history after its use", async () => {
  const path = await createResetPath("ben");
  const page = await openPage(app.createClient(), path);
  const visits = recordVisits();
  await screen.findByLabelText("Neues Passwort");
  expect(visits).toEqual([path]);
  await choosePassword(page);
  await screen.findByRole("heading", { name: "Login" });
  expect(visits).toEqual(["/login"]);

  await choosePassword(await openPage(app.createClient(), path));
  await expect.poll(pageText).toContain("Der Passwort-Wiederherstellungsschlüssel ist ungültig oder abgelaufen.");
  expect(address()).toBe("/password-reset");
});

test("a second invitation opened in the same tab replaces the first invitation's token", async () => {
  await openPage(app.createClient(), "/register#token=AAAA-BBBB");
  await expect.poll(async () => (await tokenField()).value).toBe("AAAA-BBBB");
  location.hash = "#token=CCCC-DDDD";
  // happy-dom does not send this event.
  dispatchEvent(new Event("hashchange"));
  await expect.poll(async () => (await tokenField()).value).toBe("CCCC-DDDD");
});

test("the page of an old invitation link moves the token from the query, which reaches the server, to the fragment", async () => {
  await openPage(app.createClient(), "/register?token=AAAA-BBBB");
  await expect.poll(address).toBe("/register#token=AAAA-BBBB");
  expect((await tokenField()).value).toBe("AAAA-BBBB");
});

test("a reset link redirects a logged-in member to the counter", async () => {
  await openPage(await app.createMember("carla"), await createResetPath("ben"));
  await expect.poll(address).toBe("/beercounter");
});

import { screen, waitFor, within } from "@testing-library/dom";
import { beforeEach, expect, test, vi } from "vitest";

import type { Client } from "#test/client.ts";
import { createTestPasskey, type TestPasskey } from "#test/passkey.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { messageText, openDialogs, openPage, type OpenPage } from "./open-page.tsx";

let app: TestApp;
let anna: Client;
let device: TestPasskey;
beforeEach(async () => {
  app = await createTestApp({ ADMIN_PASSKEY: "1" });
  anna = await app.createMember("anna", ["admin"]);
  device = createTestPasskey();
  vi.stubGlobal("PublicKeyCredential", vi.fn());
  vi.spyOn(navigator, "credentials", "get").mockReturnValue({
    create: async (asked: CredentialCreationOptions) => toCredential(device.create(ceremony(asked))),
    get: async (asked: CredentialRequestOptions) => toCredential(device.sign(ceremony(asked))),
  } as unknown as CredentialsContainer);
});

const ceremony = ({ publicKey }: CredentialCreationOptions | CredentialRequestOptions) => ({
  challenge: Buffer.from(publicKey!.challenge as ArrayBuffer).toString("base64url"),
});

/** The base64url texts of the JSON become bytes. */
function toCredential(json: object): object {
  const { rawId, response, ...rest } = json as { rawId: string; response: Record<string, string> };
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "base64url")).buffer;
  const parts = Object.entries(response).map(([name, value]) => [
    name,
    typeof value === "string" ? bytes(value) : value,
  ]);
  return { ...rest, rawId: bytes(rawId), response: Object.fromEntries(parts), getClientExtensionResults: () => ({}) };
}

async function createPasskey(page: OpenPage, name: string): Promise<void> {
  await page.press("Passkey anlegen");
  await page.fill("Name", name, await screen.findByRole("dialog", { name: "Passkey anlegen" }));
  await page.press("Weiter");
  await within(screen.getByRole("region", { name: "Passkeys" })).findByText(name);
}

test("a member logs in with a passkey created in the profile, until the passkey is removed there", async () => {
  const ben = await app.createMember("ben");
  await createPasskey(await openPage(ben, "/profile"), "Handy");
  const login = await openPage(app.createClient(), "/login");
  await login.press("Mit Passkey anmelden");
  await screen.findByRole("button", { name: "Bier trinken" });
  const { is_remembered } = await app.db
    .selectFrom("sessions")
    .select("is_remembered")
    .where("passkey_at", "is not", null)
    .where("user_id", "=", 2)
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();
  expect(is_remembered).toBe(1);

  const profile = await openPage(ben, "/profile");
  await profile.press("Handy entfernen");
  await profile.press("Entfernen", await screen.findByRole("dialog"));
  await expect.poll(messageText).toContain("Passkey entfernt.");
  const late = await openPage(app.createClient(), "/login");
  await late.press("Mit Passkey anmelden");
  await expect.poll(messageText).toContain("Dieser Passkey passt hier nicht");
});

test("a passkey from the browser's autofill suggestions logs in, even if the page has been open for long", async () => {
  await createPasskey(await openPage(await app.createMember("ben"), "/profile"), "Handy");
  const pick = Promise.withResolvers<void>();
  const answer = navigator.credentials.get.bind(navigator.credentials);
  vi.stubGlobal("PublicKeyCredential", Object.assign(vi.fn(), { isConditionalMediationAvailable: async () => true }));
  const asked: CredentialRequestOptions[] = [];
  vi.spyOn(navigator, "credentials", "get").mockReturnValue({
    async get(options: CredentialRequestOptions) {
      asked.push(options);
      const ended = new Promise((_, reject) => {
        options.signal!.addEventListener("abort", () => reject(options.signal!.reason as Error));
      });
      await Promise.race([pick.promise, ended]);
      return answer(options);
    },
  } as unknown as CredentialsContainer);

  const page = await openPage(app.createClient(), "/login");
  const field = await screen.findByLabelText("Benutzername");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: Date.now(), shouldAdvanceTime: true });
  await page.user.click(field);
  await expect.poll(() => asked).toHaveLength(1);
  app.clock.time += 6 * 60_000;
  await vi.advanceTimersByTimeAsync(6 * 60_000);
  await expect.poll(() => asked).toHaveLength(2);
  pick.resolve();
  await screen.findByRole("button", { name: "Bier trinken" });
});

test("a passkey replaces the password in the confirmation of an account's deletion", async () => {
  const page = await openPage(await app.createMember("ben"), "/profile");
  await createPasskey(page, "Handy");
  await app.db.updateTable("sessions").set({ confirmed_at: 0 }).execute();
  await page.press("Account löschen …");
  const dialog = within(await screen.findByRole("dialog", { name: "Account löschen" }));
  expect(dialog.queryByLabelText("Dein Passwort")).toBeNull();
  await page.fill("Zur Sicherheit: dein Benutzername", "ben");
  await page.press("Endgültig löschen");
  await page.press("Mit Passkey bestätigen");
  await expect.poll(messageText).toContain("Dein Account ist gelöscht.");
});

test("an admin area that requires a passkey sends an administrator without a passkey to the profile", async () => {
  const page = await openPage(anna, "/admin");
  await page.press("Zum Profil", await screen.findByRole("dialog", { name: "Du brauchst einen Passkey" }));
  await waitFor(() => expect(location.pathname).toBe("/profile"));
  await createPasskey(page, "Handy");
  await expect.poll(openDialogs).toEqual([]);
  await page.user.click(screen.getAllByRole("link", { name: "Verwaltung" })[0]!);
  // Although the first visit found no passkey.
  expect((await screen.findByRole("dialog")).textContent).toContain("Kurz bestätigen");
  await page.press("Mit Passkey bestätigen");
  await screen.findByRole("list", { name: "Mitglieder" });
});

test("an administrator renames another member's party after confirming with the required passkey", async () => {
  const ben = await app.createMember("ben");
  const { id } = (await ben.post("/api/parties", { name: "Grillen bei Ben" })).json;
  await createPasskey(await openPage(anna, "/profile"), "Handy");
  const page = await openPage(anna, `/party/${id}`);
  await page.press("Umbenennen");
  const dialog = screen.getByRole("dialog", { name: "Party umbenennen" });
  await page.fill("Name", "Garten", dialog);
  await page.press("Umbenennen", dialog);
  expect((await screen.findByRole("dialog", { name: "Kurz bestätigen" })).textContent).toContain("deinem Passkey");
  await page.press("Mit Passkey bestätigen");
  await screen.findByRole("heading", { level: 1, name: "Garten" });
  await expect.poll(openDialogs).toEqual([]);
  await openPage(anna, "/admin/audit");
  await screen.findByText("Party 1 umbenannt.");
});

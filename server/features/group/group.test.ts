import { beforeEach, expect, test } from "vitest";

import type { GroupSettings } from "#contract/group.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { readMails } from "#test/mailbox.ts";
import { connectPage } from "#test/socket-client.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";

const impressum = { label: "Impressum", url: "https://stammtisch.example/impressum" };
const skat = { group_name: "Skatrunde", group_short: "SKR", legal_links: [impressum] };
const usual = { group_name: "Stammtisch", group_short: "KSK", legal_links: [] };

let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
});

const change = (body: unknown): Promise<ClientResponse> => anna.post("/api/admin/group", body);
const getGroup = async () => (await anna.get("/api/admin/group")).json;
const lines = async () => (await anna.get("/api/admin/audit")).json.entries;

test(
  "changed group settings appear at once in the pages and mails of every instance",
  { tags: "postgres" },
  async () => {
    const other = await app.reopen();
    expect((await other.createClient().get("/api/config")).json).toMatchObject(usual);
    expect((await change(skat)).json).toEqual({ message: "Gespeichert." });
    for (const one of [app, other]) expect((await one.createClient().get("/api/config")).json).toMatchObject(skat);

    await app.createClient().post("/api/forgot-password", { email: "anna@stammtisch.example" });
    const [mail] = await readMails(app);
    expect(mail!.subject).toContain("Skatrunde");
    expect(mail!.raw).toMatch(/^From: Skatrunde </m);
    expect(mail!.raw).not.toContain("Stammtisch");
    const manifest = JSON.parse((await other.createClient().get("/manifest.webmanifest")).text);
    expect([manifest.name, manifest.short_name]).toEqual(["Skatrunde", "Skatrunde"]);
  },
);

test("changing the group's settings sends the event group-changed to open pages", async () => {
  const page = await connectPage(app, await app.createMember("ben"));
  await change(skat);
  expect((await page.next("group-changed")).data).toEqual({});
});

test("after the group is renamed, a password that barely differs from its new name is refused", async () => {
  await change(skat);
  const password = "skatrunde1";
  const answer = await anna.post("/api/user/changePassword", { password, password_confirmation: password });
  expect(answer.json.errors).toEqual({ password: ["Passwort ist zu leicht zu erraten."] });
});

test("only the group settings that an administrator changed override the configuration", async () => {
  await change({ ...usual, group_name: "Skatrunde" });
  const restarted = await app.reopen({ GROUP_NAME: "Kegelclub", GROUP_SHORT: "KC" });
  expect((await restarted.createClient().get("/api/config")).json).toMatchObject({
    group_name: "Skatrunde",
    group_short: "KC",
  });
  await restarted.close();
  expect(await getGroup()).toEqual({ ...usual, group_name: "Skatrunde", configured: usual });
  await change(usual);
  const again = await app.reopen({ GROUP_NAME: "Kegelclub" });
  expect((await again.createClient().get("/api/config")).json.group_name).toBe("Kegelclub");
});

test("the audit log records which group settings an administrator changed, and records no save without changes", async () => {
  await change(usual);
  expect(await lines()).toEqual([]);
  await change({ ...usual, group_short: "SKR", legal_links: [impressum] });
  expect((await lines())[0]).toMatchObject({ action: "group-changed", text: "Geändert: Kürzel, Links.", member: null });
});

const link = (url: string) => ({ label: "x", url });
const badLinks = "Der gewählte Wert für Links ist ungültig.";
test.each<[string, Partial<GroupSettings>, string]>([
  ["an empty name", { group_name: " " }, "Name der Gruppe muss ausgefüllt werden."],
  ["a name that is too long", { group_name: "x".repeat(65) }, "Name der Gruppe darf maximal 64 Zeichen haben."],
  [
    "a name with a bidirectional control character",
    { group_name: "a\u202eb" },
    "Der gewählte Wert für Name der Gruppe ist ungültig.",
  ],
  ["a long abbreviation", { group_short: "x".repeat(17) }, "Kürzel darf maximal 16 Zeichen haben."],
  ["a javascript: link", { legal_links: [link("javascript:alert(1)")] }, badLinks],
  ["a protocol-relative link", { legal_links: [link("//evil.example")] }, badLinks],
  ["eleven links", { legal_links: Array.from({ length: 11 }, () => impressum) }, badLinks],
])("group settings with %s are refused", async (_, part, text) => {
  const answer = await change({ ...usual, ...part });
  expectErrors(answer, { [Object.keys(part)[0]!]: [text] });
  expect((await app.createClient().get("/api/config")).json).toMatchObject(usual);
});

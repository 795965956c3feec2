import { describe, expect, test } from "vitest";

import { createInvitation } from "#server/features/accounts/invitation-actions.ts";
import type { ClientResponse } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { createTestApp, password } from "#test/test-app.ts";

let numbers = 0;

const app = await createTestApp();
const client = app.createClient();
await app.createUser("admin");
await app.createUser("josé");
await app.createUser("strauß");
await app.createUser("сара");
const { token } = await createInvitation(app.context, { permissions: [], days: 7, uses: 1000, createdBy: null });

function register(form: object): Promise<ClientResponse> {
  numbers += 1;
  const unique = { uname: `neu-${numbers}`, name: "Neuling", email: `neu-${numbers}@stammtisch.example` };
  return client.post("/api/register", { token, ...unique, password, password_confirmation: password, ...form });
}

const registerWith = (chosen: string) => register({ password: chosen, password_confirmation: chosen });
const logInWith = (chosen: string) =>
  app.createClient().post("/api/login", { uname: `neu-${numbers}`, password: chosen });

const taken = "Benutzername ist bereits vergeben.";

describe("taken user names", { tags: "postgres" }, () => {
  test.each<[string, string]>([
    ["in capitals", "ADMIN"],
    ["with blanks around it", "  admin  "],
    ["in full-width letters", "ａｄｍｉｎ"],
    ["with a long s", "ſtrauß"],
    ["with ss for ß", "STRAUSS"],
    ["with the accent as a character of its own", "jose\u0301"],
    ["with the accent in front of a capital", "JOSE\u0301"],
    ["in Cyrillic letters that look like it", "јоѕе\u0301"],
    ["in Latin letters that look like its Cyrillic ones", "capa"],
  ])("a registration with another member's user name %s is refused as taken", async (_, uname) => {
    expect((await register({ uname })).json.errors).toEqual(expect.objectContaining({ uname: [taken] }));
  });

  test("a member logs in with any spelling of the user name", async () => {
    for (const uname of ["josé", "JOSÉ", "jose\u0301", "  josé "]) {
      expect((await app.createClient().post("/api/login", { uname, password })).status, uname).toBe(200);
    }
    expect((await app.createClient().post("/api/login", { uname: "САРА", password })).status).toBe(200);
  });
});

test(
  "a registration with another member's email address is refused in upper or lower case",
  { tags: "postgres" },
  async () => {
    expect((await register({ email: "ADMIN@Stammtisch.Example" })).json.errors).toEqual({
      email: ["E-Mail-Adresse ist bereits vergeben."],
    });
  },
);

describe("new passwords", () => {
  test.each<[string, string]>([
    ["with blanks in front and behind", "  Bier um Vier  "],
    ["of emoji", "🍺🍻🥨🌭🍺🍻🥨🥂"],
    ["of 256 wide characters", "🍺🥨".repeat(128)],
  ])("a registration accepts a password %s, which then logs in", async (_, chosen) => {
    const answer = await registerWith(chosen);
    expect([answer.status, answer.json.errors]).toEqual([201, undefined]);
    expect((await logInWith(chosen)).status).toBe(200);
  });

  test.each([
    ["PASSWORD", "Passwort wurde in einem Datenleck gefunden. Bitte wähle ein anderes Passwort."],
    ["neulingneuling", "Passwort ist zu leicht zu erraten."],
  ])("a registration refuses the password %s", async (chosen, text) => {
    const answer = await registerWith(chosen);
    expectErrors(answer, { password: [text] });
  });

  test("a registration is refused if the password confirmation differs or is missing", async () => {
    const differs = { password: ["Passwort stimmt nicht mit der Bestätigung überein."] };
    for (const password_confirmation of ["Zapfhahn-im-Keller-4", "", undefined, "zapfhahn-im-keller-3"]) {
      const answer = await register({ password_confirmation });
      expectErrors(answer, differs);
    }
  });

  test("a login treats composed and decomposed umlauts in a password as equal", async () => {
    expect((await registerWith("Prösterchen-ömm".normalize("NFD"))).status).toBe(201);
    expect((await logInWith("Prösterchen-ömm".normalize("NFC"))).status).toBe(200);
    expect((await registerWith("Prösterchen-ömm".normalize("NFC"))).status).toBe(201);
    expect((await logInWith("Prösterchen-ömm".normalize("NFD"))).status).toBe(200);
  });

  test("a login refuses a password that differs only in its last character", async () => {
    const long = "Zapfhahn im Keller, ".repeat(4);
    expect((await registerWith(`${long}A`)).status).toBe(201);
    expect((await logInWith(`${long}B`)).status).toBe(422);
    expect((await logInWith(long)).status).toBe(422);
    expect((await logInWith(`${long}A`)).status).toBe(200);
  });
});

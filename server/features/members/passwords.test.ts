import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createInvitation } from "#server/features/invitations/actions.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { checkPassword } from "./rules.ts";

let app: TestApp;
let client: Client;
let token: string;
let numbers = 0;

beforeAll(async () => {
  app = await createTestApp();
  client = app.createClient();
  ({ token } = await createInvitation(app.context, { permissions: [], days: 7, uses: 1000, createdBy: null }));
});

afterAll(() => app.close());

function register(password: unknown, changes: object = {}): Promise<ClientResponse> {
  numbers += 1;
  const who = { uname: `neu-${numbers}`, name: "Frieda Sommer", email: `post-${numbers}@stammtisch.example` };
  return client.post("/api/register", { token, ...who, password, password_confirmation: password, ...changes });
}

const login = (password: string) => app.createClient().post("/api/login", { uname: `neu-${numbers}`, password });

describe("a new password", () => {
  test.each<[string, string]>([
    ["of eight characters", "zwölf-öl"],
    ["with blanks in front and behind", "  Bier um Vier  "],
    ["of emoji", "🍺🍻🥨🌭🍺🍻🥨🥂"],
    ["of 256 characters", "Zapf hahn".repeat(29).slice(0, 256)],
    ["of 256 wide characters", "🍺🥨".repeat(128)],
    ["in another script", "пивоварня"],
  ])("%s is good, and logs in", async (_, password) => {
    const answer = await register(password);
    expect([answer.status, answer.json.errors]).toEqual([201, undefined]);
    expect((await login(password)).status).toBe(200);
  });

  test.each<[string, unknown, string]>([
    ["of seven characters", "kurz-öl", "Passwort muss mindestens 8 Zeichen lang sein."],
    ["of seven composed from eight", "kurz-o\u0308l", "Passwort muss mindestens 8 Zeichen lang sein."],
    ["of 257 characters", "Zapf hahn".repeat(29).slice(0, 257), "Passwort darf maximal 256 Zeichen haben."],
    ["that is missing", undefined, "Passwort muss ausgefüllt werden."],
    ["that is empty", "", "Passwort muss ausgefüllt werden."],
    ["that is a number", 12_345_678, "Passwort muss ein String sein."],
    ["that is a list", ["Zapfhahn-im-Keller"], "Passwort muss ein String sein."],
    ["of one character", "zzzzzzzzzz", "Passwort ist zu leicht zu erraten."],
    ["that counts down", "zyxwvutsrq", "Passwort ist zu leicht zu erraten."],
    ["that is the product's name", "Stammtisch!1", "Passwort ist zu leicht zu erraten."],
    ["that is one's own name", "friedasommer1", "Passwort ist zu leicht zu erraten."],
  ])("%s is refused", async (_, password, text) => {
    const answer = await register(password);
    expect(answer.status).toBe(422);
    expect(answer.json.errors.password).toContain(text);
  });

  test.each(["password", "PASSWORD", "passw0rd", "12345678", "qwertyuiop", "iloveyou", "sunshine", "baseball"])(
    "%s is one that everybody tries",
    async (password) => {
      const texts = (await register(password)).json.errors.password;
      expect(["Passwort wurde in einem Datenleck gefunden. Bitte wähle ein anderes Passwort."]).toEqual(texts);
    },
  );

  test("has to be typed twice", async () => {
    const differs = { password: ["Passwort stimmt nicht mit der Bestätigung überein."] };
    for (const password_confirmation of ["Zapfhahn-im-Keller-4", "", undefined, "zapfhahn-im-keller-3"]) {
      const answer = await register("Zapfhahn-im-Keller-3", { password_confirmation });
      expect([answer.status, answer.json.errors]).toEqual([422, differs]);
    }
  });

  test("is the same however its umlauts were typed", async () => {
    expect((await register("Prösterchen-ömm".normalize("NFD"))).status).toBe(201);
    expect((await login("Prösterchen-ömm".normalize("NFC"))).status).toBe(200);
    expect((await register("Prösterchen-ömm".normalize("NFC"))).status).toBe(201);
    expect((await login("Prösterchen-ömm".normalize("NFD"))).status).toBe(200);
  });

  test("counts to its last character", async () => {
    const long = "Zapfhahn im Keller, ".repeat(4);
    expect((await register(`${long}A`)).status).toBe(201);
    expect((await login(`${long}B`)).status).toBe(422);
    expect((await login(long)).status).toBe(422);
    expect((await login(`${long}A`)).status).toBe(200);
  });
});

describe("the rules", () => {
  const context = {
    uname: "bob",
    name: "Bob von Stein",
    email: "robert@stammtisch.example",
    groupName: "Zechbrüder",
    groupShort: "KSK",
  };

  test.each<[string, boolean]>([
    ["bobbobbob1", false],
    ["robert2026", true],
    ["robert9z", false],
    ["bob-robert-stein", false],
    ["Zechbrüder!", false],
    ["ＺＥＣＨＢＲÜＤＥＲ", false],
    ["kskkskksk", false],
    ["ksk-trinkt-um-acht", true],
    ["stein-reich", true],
  ])("find that %s leaves enough to guess: %s", (password, isGood) => {
    expect(checkPassword(password, 8, context)).toEqual(isGood ? [] : [{ text: "V-guess" }]);
  });

  test("hold to the operator's minimum", () => {
    expect(checkPassword("Zapf-hahn-9", 15, context)).toEqual([{ text: "V-min", min: 15 }]);
  });
});

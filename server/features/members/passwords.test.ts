import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createInvitation } from "#server/features/invitations/actions.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import type { ClientResponse, Client } from "#test/client.ts";

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
    ["with blanks in front and behind", "  Bier um Vier  "],
    ["of emoji", "🍺🍻🥨🌭🍺🍻🥨🥂"],
    ["of 256 wide characters", "🍺🥨".repeat(128)],
  ])("%s is good, and logs in", async (_, password) => {
    const answer = await register(password);
    expect([answer.status, answer.json.errors]).toEqual([201, undefined]);
    expect((await login(password)).status).toBe(200);
  });

  test.each([
    ["kurz-öl", "Passwort muss mindestens 8 Zeichen lang sein."],
    ["PASSWORD", "Passwort wurde in einem Datenleck gefunden. Bitte wähle ein anderes Passwort."],
    ["friedasommer1", "Passwort ist zu leicht zu erraten."],
  ])("%s is refused", async (password, text) => {
    const answer = await register(password);
    expect([answer.status, answer.json.errors]).toEqual([422, { password: [text] }]);
  });

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

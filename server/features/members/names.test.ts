// Also on PostgreSQL: unique names are reported differently.
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createInvitation } from "#server/features/invitations/actions.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import type { ClientResponse, Client } from "#test/client.ts";

let app: TestApp;
let client: Client;
let token: string;
let numbers = 0;

beforeAll(async () => {
  app = await createTestApp();
  client = app.createClient();
  await app.createUser("admin");
  await app.createUser("josé");
  await app.createUser("strauß");
  ({ token } = await createInvitation(app.context, { permissions: [], days: 7, uses: 1000, createdBy: null }));
});

afterAll(() => app.close());

function register(form: object): Promise<ClientResponse> {
  numbers += 1;
  const unique = { uname: `neu-${numbers}`, name: "Neuling", email: `neu-${numbers}@stammtisch.example` };
  return client.post("/api/register", { token, ...unique, password, password_confirmation: password, ...form });
}

const taken = "Benutzername ist bereits vergeben.";
const forbidden = "Benutzername darf nur aus Buchstaben, Zahlen, Punkten, Binde- und Unterstrichen bestehen.";

describe("a uname", () => {
  test.each<[string, string]>([
    ["in capitals", "ADMIN"],
    ["with blanks around it", "  admin  "],
    ["in full-width letters", "ａｄｍｉｎ"],
    ["with letters from mathematics", "𝐚dmin"],
    ["with a long s", "ſtrauß"],
    ["with ss for ß", "STRAUSS"],
    ["with the accent as a character of its own", "jose\u0301"],
    ["with the accent in front of a capital", "JOSE\u0301"],
  ])("that is another's %s is taken", async (_, uname) => {
    expect((await register({ uname })).json.errors).toEqual(
      expect.objectContaining({ uname: [expect.stringMatching(`${taken}|${forbidden}`)] }),
    );
  });

  test.each<[string, string]>([
    ["Cyrillic letters that look the same", "аdmin"],
    ["Greek letters that look the same", "αdmin"],
    ["a zero-width space", "ad\u200bmin"],
    ["a zero-width joiner", "ad\u200dmin"],
    ["a soft hyphen", "ad\u00admin"],
    ["text that runs backwards", "\u202enimda"],
    ["a NUL", "admin\u0000x"],
    ["a line break", "ad\nmin"],
    ["a blank inside", "ad min"],
    ["an emoji", "prost🍺"],
    ["HTML", "<b>admin</b>"],
    ["a path", "../admin"],
  ])("with %s is none", async (_, uname) => {
    const { status, json } = await register({ uname });
    expect([400, 422]).toContain(status);
    if (status === 422) expect(json.errors).toEqual({ uname: [forbidden] });
  });

  test("is 2 to 64 characters, counted as people count", async () => {
    const text = async (uname: string) => (await register({ uname })).json.errors?.uname;
    expect(await text("a")).toEqual(["Benutzername muss mindestens 2 Zeichen lang sein."]);
    expect(await text("äö")).toBeUndefined();
    expect(await text("x".repeat(64))).toBeUndefined();
    expect(await text("x".repeat(65))).toEqual(["Benutzername darf maximal 64 Zeichen haben."]);
    expect(await text("über-9.000_ß")).toBeUndefined();
  });

  test("logs in however it is spelled", async () => {
    for (const uname of ["josé", "JOSÉ", "jose\u0301", "  josé "]) {
      expect((await app.createClient().post("/api/login", { uname, password })).status, uname).toBe(200);
    }
  });
});

describe("a name", () => {
  test.each<[string, string]>([
    ["text that runs backwards", "Anna\u202ebew"],
    ["an isolated direction", "Anna\u2067x"],
    ["a NUL", "Anna\u0000"],
    ["a line break inside", "Anna\nBen"],
    ["a line separator", "Anna\u2028Ben"],
    ["a zero-width space", "An\u200bna"],
    ["a byte order mark inside", "An\ufeffna"],
    ["more than 64 characters", "x".repeat(65)],
    ["nothing but blanks", " \u3000\t"],
  ])("with %s is refused", async (_, name) => {
    const { status, json } = await register({ name });
    expect([400, 422]).toContain(status);
    if (status === 422) expect(Object.keys(json.errors)).toEqual(["name"]);
  });

  test.each([
    "Anna",
    "David von der Heide-Sonnenschein",
    "<b>Ben</b>",
    "Zoë 🍺",
    "Ağça",
    "李雷",
    "O'Neil & Söhne",
    "👨‍👩‍👧",
  ])("may be %s, and comes back as it was given", async (name) => {
    const uname = `name-${numbers}`;
    expect((await register({ uname, name })).status).toBe(201);
    const answer = await app.createClient().post("/api/login", { uname, password });
    expect(answer.json.user.name).toBe(name.normalize("NFC"));
  });
});

describe("an address", () => {
  test.each<[string, unknown]>([
    ["two of them", "a@stammtisch.example,b@stammtisch.example"],
    ["two of them with a semicolon", "a@stammtisch.example;b@stammtisch.example"],
    ["a header behind it", "a@stammtisch.example\r\nBcc: b@stammtisch.example"],
    ["a name in front", '"a@x" <b@stammtisch.example>'],
    ["none at all", "niemand"],
    ["no domain", "niemand@"],
    ["a list", ["a@stammtisch.example"]],
    ["an object", { $ne: "x" }],
    ["more than 254 characters", `${"x".repeat(243)}@example.com`],
    ["a blank inside", "a b@stammtisch.example"],
  ])("with %s is refused", async (_, email) => {
    const { status, json } = await register({ email });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["email"]);
  });

  test("is taken in any case", async () => {
    expect((await register({ email: "ADMIN@Stammtisch.Example" })).json.errors).toEqual({
      email: ["E-Mail-Adresse ist bereits vergeben."],
    });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { type CommandResult, createServerProcess, registerMember, type ServerProcess } from "./server-process.ts";

let server: ServerProcess;
let anna: Client;

beforeAll(async () => {
  server = await createServerProcess();
  await server.start();
  const { token } = (await server.run("invite", "create", "--permission", "admin", "--json")).json;
  anna = await registerMember(server, "anna", token);
  await server.createMembers("bert");
});

afterAll(async () => server[Symbol.asyncDispose]());

const lines = async () => (await anna.get("/api/admin/audit")).json.entries;

test("what is done on the command line stands in the audit list too, at once, without a name and without a secret", async () => {
  const before = await lines();
  const secrets: string[] = [];
  const run = async (...words: string[]): Promise<CommandResult> => {
    const done = await server.run(...words, "--json");
    expect([done.code, done.errors, done.out.trim().split("\n").length], words.join(" ")).toEqual([0, "", 1]);
    return done;
  };
  await run("user", "grant", "bert", "see-game-servers");
  secrets.push((await run("user", "reset-link", "bert")).json.url.split("=")[1]);
  await run("user", "disable", "bert");
  await run("user", "enable", "bert");
  await run("user", "revoke", "bert", "see-game-servers");
  secrets.push((await run("invite", "create", "--days", "1")).json.token);
  await run("user", "list");

  const added = (await lines()).slice(0, -before.length);
  expect(added.map(({ text }: { text: string }) => text)).toEqual([
    "Einladung 4 erstellt (1 Tag, 1 Person).",
    "Berechtigungen geändert: − Game-Server sehen.",
    "Konto entsperrt.",
    "Konto gesperrt.",
    "Link für ein neues Passwort erstellt.",
    "Berechtigungen geändert: + Game-Server sehen.",
  ]);
  for (const line of added) expect([line.via, line.actor]).toEqual(["command", null]);
  for (const line of added.slice(1)) expect(line.member.name).toBe("bert");
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(25);
    expect(JSON.stringify(added) + server.output.out + server.output.errors).not.toContain(secret);
  }
});

test("whoever has the machine can take the Verwaltung even from the last who has it, and give it back", async () => {
  expect((await server.run("user", "revoke", "anna", "admin")).code).toBe(0);
  expect((await anna.get("/api/admin/members")).status).toBe(403);
  expect((await server.run("user", "grant", "anna", "admin")).code).toBe(0);
  expect((await anna.get("/api/admin/members")).status).toBe(200);
});

describe("a command that makes no sense", () => {
  const cases: [words: string[], code: 1 | 2][] = [
    [["invite"], 2],
    [["invite", "create", "--days", "0"], 2],
    [["invite", "create", "--days"], 2],
    [["invite", "create", "--uses", "1001"], 2],
    [["invite", "create", "bert"], 2],
    [["user", "grant", "bert"], 2],
    [["user", "grant", "bert", "admin", "root"], 2],
    [["user", "disable", "bert", "anna"], 2],
    [["user", "delete", "bert"], 2],
    [["user", "reset-link"], 2],
    [["user", "reset-link", "bert", "--password", "Kellerbier-im-Schrank"], 2],
    [["user", "revoke", "nobody", "admin"], 1],
    [["user", "reset-link", "nobody"], 1],
    [["user", "disable", "'; drop table users; --"], 1],
    [["user", "disable", "a\nb\u001b[31m"], 1],
  ];

  test("says so in one line, ends with 1 or 2, and changes nothing", { timeout: 60_000 }, async () => {
    const before = [await lines(), (await anna.get("/api/admin/members")).json];
    for (const pair of inPairs(cases)) {
      await Promise.all(
        pair.map(async ([words, expected]) => {
          const { code, out, errors } = await server.run(...words);
          expect([code, out], words.join(" ")).toEqual([expected, ""]);
          expect(errors).toMatch(/^[^\n\p{Cc}]+\n$/u);
          expect(errors).not.toContain("Kellerbier");
        }),
      );
    }
    expect([await lines(), (await anna.get("/api/admin/members")).json]).toEqual(before);
  });
});

test("help names every command that an administrator has, wherever it is asked for", async () => {
  const [help, asked] = await Promise.all([server.run("help"), server.run("user", "grant", "--help")]);
  expect([help.code, help.errors, asked.out]).toEqual([0, "", help.out]);
  const names = ["list", "grant", "revoke", "disable", "enable", "reset-link"].map((name) => `user ${name}`);
  for (const name of ["serve", "invite create", ...names, "migrate"]) expect(help.out).toContain(`  ${name} `);
});

/** Two processes at a time. */
function inPairs<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / 2) }, (_, index) => items.slice(index * 2, index * 2 + 2));
}

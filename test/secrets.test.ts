// Searches for secrets in the repository, because a published history cannot be cleaned.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const patterns = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  // Access tokens of Amazon, GitHub, Slack, Google, Stripe and npm.
  /\b(AKIA[0-9A-Z]{16}|gh[opsur]_\w{30}|xox[abprs]-\w|AIza[\w-]{35}|sk_live_\w|npm_\w{30})/,
  // Mail addresses, except in reserved domains, in the tests' invalid addresses, and in names of
  // systemd units.
  /\b[\w.+-]+@(?!(127\.0\.0\.1|b\.de|fcm\.googleapis\.com|([\w-]+\.)*example\.(com|net|org))\b)[\w-]+(\.[\w-]+)*\.(?!(example|invalid|localhost|service|test)\b)[a-z]{2,}\b/i,
];

/** Returns the texts that look like secrets, at most one per line and pattern. */
function findSecrets(lines: string): string[] {
  return lines.split("\n").flatMap((line) => patterns.flatMap((pattern) => pattern.exec(line)?.[0] ?? []));
}

const git = (...words: string[]) => execFileSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 30 });

test("the repository's files contain no private keys, access tokens or real mail addresses", () => {
  expect(findSecrets(git("grep", "--untracked", "-hI", ""))).toEqual([]);
});

test("the repository's history contains no private keys, access tokens or real mail addresses", ({ skip }) => {
  skip(!process.env["CI"], "the history is long, and continuous integration searches what is published");
  expect(findSecrets(git("log", "--patch", "--unified=0", "--no-color", "--format="))).toEqual([]);
});

// Each secret is split in two, so that the search does not report this file.
test.each([
  ["-----BEGIN EC ", "PRIVATE KEY-----"],
  ["ghp_", "0123456789abcdefghijABCDEFGHIJ"],
  ["somebody@web", ".de"],
])("the search for secrets in the repository reports %s%s", (start, end) => {
  expect(findSecrets(`a line\nwith = "${start}${end}"`)).toHaveLength(1);
});

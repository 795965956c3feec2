// What must never get into the repository, because nobody gets it out of a history that others have.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const patterns = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  // Amazon, GitHub, Slack, Google, Stripe, npm.
  /\b(AKIA[0-9A-Z]{16}|gh[opsur]_\w{30}|xox[abprs]-\w|AIza[\w-]{35}|sk_live_\w|npm_\w{30})/,
  // Mail addresses, except in domains that belong to nobody, of tests of parsers and of systemd's units.
  /\b[\w.+-]+@(?!(127\.0\.0\.1|b\.de|fcm\.googleapis\.com|([\w-]+\.)*example\.(com|net|org))\b)[\w-]+(\.[\w-]+)*\.(?!(example|invalid|localhost|service|test)\b)[a-z]{2,}\b/i,
];

/** What looks like a secret, one finding per line. */
function findSecrets(lines: string): string[] {
  return lines.split("\n").flatMap((line) => patterns.flatMap((pattern) => pattern.exec(line)?.[0] ?? []));
}

const git = (...words: string[]) => execFileSync("git", words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 30 });

test("no private key, no token of a service and no real mail address is in the files or in their history", () => {
  expect(findSecrets(git("grep", "--untracked", "-hI", ""))).toEqual([]);
  expect(findSecrets(git("log", "--patch", "--unified=0", "--no-color", "--format="))).toEqual([]);
});

// In two parts, so that they are not found here.
test.each([
  ["-----BEGIN EC ", "PRIVATE KEY-----"],
  ["ghp_", "0123456789abcdefghijABCDEFGHIJ"],
  ["somebody@web", ".de"],
])("%s%s would be found", (start, end) => {
  expect(findSecrets(`a line\nwith = "${start}${end}"`)).toHaveLength(1);
});

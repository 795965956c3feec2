// Checks the unit files with systemd's own tool, systemd-analyze.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";

const root = join(import.meta.dirname, "../..");
const names = ["stammtisch.service", "stammtisch.socket", "engine-filter.service"];

const folder = createTemporaryFolder();
// Writes the real unit files with this repository as the program's folder.
for (const name of names) {
  const unit = readFileSync(join(root, "deploy", name), "utf8").replaceAll("/opt/stammtisch", root);
  writeFileSync(join(folder, name), unit);
}

const analyze = (...words: string[]) => spawnSync("systemd-analyze", words, { encoding: "utf8", cwd: folder });

test("systemd accepts every line of the unit files", () => {
  const { status, stderr } = analyze("verify", ...names.map((name) => join(folder, name)));
  const ours = stderr.split("\n").filter((line) => names.some((name) => line.includes(name)));
  expect([status, ours]).toEqual([0, []]);
});

test("systemd accepts the documented settings for Caddy's unit", () => {
  const page = readFileSync(join(root, "docs/proxy.md"), "utf8");
  const settings = [...page.matchAll(/(?:`|\\n)(Environment=[^`\\]+)/g)].map(([, setting]) => setting!);
  expect(settings).toHaveLength(2);
  const unit = ["[Service]", "ExecStart=/bin/true", ...settings, ""].join("\n");
  writeFileSync(join(folder, "caddy.service"), unit);
  const { status, stderr } = analyze("verify", join(folder, "caddy.service"));
  const ours = stderr.split("\n").filter((line) => line.includes("caddy.service"));
  expect([status, ours]).toEqual([0, []]);
});

test.each(names.filter((name) => name.endsWith(".service")))(
  "systemd rates the exposure of %s at 30 of 100 or less",
  (name) => {
    // The exposure ranges from 0 (safe) to 100; most services have more than 90.
    const { status, stdout } = analyze("security", "--offline=true", "--threshold=30", join(folder, name));
    expect(status, stdout).toBe(0);
  },
);

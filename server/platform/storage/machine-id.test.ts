import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { readMachineId } from "./machine-id.ts";

test("each data directory has one random machine id, which only its owner can read", () => {
  const folder = join(createTemporaryFolder(), "data");
  const id = readMachineId(folder);
  expect(readMachineId(folder)).toBe(id);
  expect(readFileSync(join(folder, "machine-id"), "utf8")).toBe(`${id}\n`);
  expect(statSync(join(folder, "machine-id")).mode & 0o777).toBe(0o600);
  expect(readMachineId(createTemporaryFolder())).not.toBe(id);
});

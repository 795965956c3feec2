import { expect, test, vi } from "vitest";

import { runTests } from "./run-tests.ts";

test("a run that finds no file of a given name fails and says the name", async () => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const code = await runTests({ projects: ["repository"], args: ["server/nope.test.ts"] });
  const printed = write.mock.calls.join("");
  write.mockRestore();
  expect(code).toBe(1);
  expect(printed).toContain("✗ server/nope.test.ts: no test file here has this in its path\n");
});

import { expect, test, vi } from "vitest";

import { runTests } from "./run-tests.ts";

test.each([
  ["server/nope.test.ts", "no test file here has this in its path"],
  ["test/faults/kills.test.ts", "run it with npm run test:faults -- test/faults/kills.test.ts"],
  ["browsers/webkit.test.ts", "run it with npm run test:browsers -- browsers/webkit.test.ts"],
  ["test/hosted/soketi.test.ts", "run it with npm run test:hosted -- test/hosted/soketi.test.ts"],
  ["test/deployment/units.test.ts", "run it with npm run test:deployment -- test/deployment/units.test.ts"],
])(
  "a test run fails and prints the reason if it does not include the file %s named on the command line",
  async (file, reason) => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const code = await runTests({ projects: ["repository"], args: [file] });
    const printed = write.mock.calls.join("");
    write.mockRestore();
    expect(code).toBe(1);
    expect(printed).toContain(`✗ ${file}\n    ${reason}\n`);
  },
);

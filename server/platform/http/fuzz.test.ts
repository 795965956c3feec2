import { expect, test } from "vitest";

import { createActors } from "#test/actors.ts";
import { fuzz } from "#test/fuzz.ts";
import { createTestApp } from "#test/test-app.ts";

const app = await createTestApp();
await createActors(app);

test.each([
  ["a guest", 1],
  ["a member", 2],
  ["an administrator", 5],
])(
  "random requests of %s cause no internal error, and the server still answers its health probe",
  { timeout: 60_000 },
  async (_, column) => {
    await fuzz(app, column, 300);
    expect(app.logLines.filter(({ event }) => event === "failed")).toEqual([]);
    expect((await app.createClient().get("/healthz")).status).toBe(200);
  },
);

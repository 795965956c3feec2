import type { ExampleCalls } from "#test/example-call.ts";
import { databaseKind } from "#test/host-commands.ts";

/** Another process cannot read the test app's SQLite database, which is in memory. */
const status = databaseKind === "sqlite" ? { status: 503 } : {};

export const exampleCalls = {
  "POST /api/admin/backups": status,
  "POST /api/admin/backups/download": { ...status, body: () => ({ with_secrets: false }) },
} satisfies ExampleCalls;

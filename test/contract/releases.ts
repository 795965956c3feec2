import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  // The test app has no RELEASES_URL.
  "POST /api/admin/releases": { status: 404, body: () => ({ is_checking: true }) },
} satisfies ExampleCalls;

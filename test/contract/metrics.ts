import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  // The test app has no METRICS_TOKEN.
  "GET /metrics": { status: 404 },
} satisfies ExampleCalls;

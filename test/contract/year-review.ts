import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  "GET /api/beercounter/years/:year": {
    path: "/api/beercounter/years/2025",
  },
} satisfies ExampleCalls;

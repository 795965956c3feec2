import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  "GET /api/beercounter/stats/period": {
    path: "/api/beercounter/stats/period?span=week",
  },
} satisfies ExampleCalls;

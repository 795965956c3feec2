import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  "GET /api/members/:id/page": {
    // The member page of David, whose session has ended.
    path: "/api/members/5/page",
  },
} satisfies ExampleCalls;

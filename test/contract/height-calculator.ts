import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  "GET /api/user/:id/avatar": {
    path: "/api/user/2/avatar",
  },
} satisfies ExampleCalls;

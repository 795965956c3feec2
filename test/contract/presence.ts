import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  "POST /api/user/presence": {
    body: () => ({ visibility: "visible" }),
  },
  "POST /api/members/:id/toast": {
    // The id of David, a member whose session has ended.
    path: "/api/members/5/toast",
  },
} satisfies ExampleCalls;

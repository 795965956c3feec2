import type { ExampleCalls } from "#test/example-call.ts";

export const exampleCalls = {
  "POST /api/admin/members/:id/permissions": {
    path: "/api/admin/members/3/permissions",
    body: () => ({ permissions: ["see-game-servers", "toggle-game-servers"] }),
  },
  "POST /api/admin/members/:id/disabled": {
    path: "/api/admin/members/1/disabled",
    body: () => ({ disabled: false }),
  },
  "POST /api/admin/members/:id/reset-link": {
    path: "/api/admin/members/1/reset-link",
  },
} satisfies ExampleCalls;

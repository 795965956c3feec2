import type { ExampleCalls } from "#test/example-call.ts";

/** Admin path of Carla, who has one beer in the fixtures. */
const path = "/api/admin/members/3";

export const exampleCalls = {
  "POST /api/admin/members/:id/name": {
    // Admin path of David, a member whose session has ended.
    path: "/api/admin/members/5/name",
    body: () => ({ name: "David" }),
  },
  "DELETE /api/admin/members/:id/avatar": { status: 404, path: "/api/admin/members/999/avatar" },
  "GET /api/admin/members/:id/beers": {
    path: `${path}/beers`,
  },
  "POST /api/admin/members/:id/beers/take-back": {
    status: 404,
    path: `${path}/beers/take-back`,
    body: () => ({ ids: [4711] }),
  },
} satisfies ExampleCalls;

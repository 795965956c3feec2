import type { ExampleCalls } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";

const headers = { "guest-token": fixtures.guestToken };
const link = { party: 1, secret: fixtures.guestSecret };

export const exampleCalls = {
  "POST /api/guest/invitation": { body: () => link },
  // The device joined before, in the parties' fixtures.
  "POST /api/guest": { headers, body: () => ({ ...link, name: "Noah", has_agreed: true }) },
  "GET /api/guest": { headers },
  "POST /api/guest/beers": { headers: { ...headers, "idempotency-key": "a-beer-of-noah" } },
  "DELETE /api/guest/beers/:key": { headers, path: "/api/guest/beers/never-heard-of" },
  "DELETE /api/guest": { status: 422 },
  "POST /api/guest/request": { status: 422, headers, body: () => ({ name: "Noah" }) },
  "POST /api/parties/:id/guest-link": { path: "/api/parties/1/guest-link" },
  // Only Ben, who started the party, and Hannes, an administrator, may switch it.
  "POST /api/parties/:id/guest-access": {
    statuses: [419, 401, 403, 403, 200, 200, 401, 401, 403, 403],
    path: "/api/parties/1/guest-access",
    body: () => ({ is_open: true }),
  },
  "POST /api/party-guests/:guest/answer": {
    status: 404,
    path: "/api/party-guests/4711/answer",
    body: () => ({ is_accepted: true }),
  },
} satisfies ExampleCalls;

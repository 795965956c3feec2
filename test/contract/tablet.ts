import type { ExampleCalls } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";

const headers = { "tv-token": fixtures.tabletToken };
const beers = "/api/tablet/faces/member-1/beers";

export const exampleCalls = {
  "GET /api/tablet": { headers },
  "POST /api/tablet/faces/:face/beers": { path: beers, headers: { ...headers, "idempotency-key": "a-beer-for-greta" } },
  "DELETE /api/tablet/faces/:face/beers/:key": { path: `${beers}/never-heard-of`, headers },
} satisfies ExampleCalls;

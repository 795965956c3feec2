import { type ExampleCalls, prefixed } from "#test/example-call.ts";

const beers = "/api/members/5/beers";

export const exampleCalls = {
  "POST /api/members/:id/beers": { path: beers, headers: { "idempotency-key": "a-beer-for-david" } },
  "DELETE /api/members/:id/beers/:key": { path: `${beers}/never-heard-of` },
  "POST /api/user/tap-settings": { body: () => ({ is_on_tablets: true, is_tappable: true, pin: null }) },
} satisfies ExampleCalls;

export const exportedFields = [
  ...prefixed("profile.", ["is_on_tablets", "is_tappable", "has_pin"]),
  ...prefixed("beers_for_others[].", ["at", "member"]),
];

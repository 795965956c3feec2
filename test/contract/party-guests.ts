import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

/**
 * HTTP statuses per actor: only Ben, who added the guest Mia in the parties' fixtures, may book her
 * beers.
 */
const bensGuest = [419, 401, 403, 403, 200, 403, 401, 401, 403, 403];
const path = "/api/party-guests/1";

export const exampleCalls = {
  "POST /api/parties/:id/guests": {
    path: "/api/parties/1/guests",
    body: newGuest,
  },
  "DELETE /api/party-guests/:guest": { status: 404, path: "/api/party-guests/4711" },
  "POST /api/party-guests/:guest/beers": {
    statuses: bensGuest,
    path: `${path}/beers`,
    headers: { "idempotency-key": "a-beer-for-mia" },
  },
  "DELETE /api/party-guests/:guest/beers/:key": {
    statuses: bensGuest,
    path: `${path}/beers/never-heard-of`,
  },
} satisfies ExampleCalls;

/**
 * Deletes the guest that a previous example call added, because names are unique within a party.
 */
async function newGuest({ db }: TestApp): Promise<object> {
  await db.deleteFrom("party_guests").where("name", "=", "Neu").execute();
  return { name: "Neu", has_agreed: true };
}

export const exportedFields = prefixed("party_guests[].", ["name", "party", "beers"]);

import { type ContractRows, members, prefixed, type Statuses } from "#test/contract-row.ts";
import type { TestApp } from "#test/test-app.ts";

/** Ben has added the guest (contract-rows.ts of the parties). */
const bensGuest: Statuses = [419, 401, 403, 403, 200, 403, 401, 401];
const path = "/api/party-guests/1";

export const contractRows = {
  "POST /api/parties/:id/guests": {
    statuses: members(201),
    path: "/api/parties/1/guests",
    body: newGuest,
    fields: ["id"],
  },
  "DELETE /api/party-guests/:guest": { statuses: members(404), path: "/api/party-guests/4711", fields: [] },
  "POST /api/party-guests/:guest/beers": {
    statuses: bensGuest,
    path: `${path}/beers`,
    headers: { "idempotency-key": "a-beer-for-mia" },
    fields: ["total"],
  },
  "DELETE /api/party-guests/:guest/beers/:key": {
    statuses: bensGuest,
    path: `${path}/beers/never-heard-of`,
    fields: ["total"],
  },
} satisfies ContractRows;

/** The earlier one is removed, since names are unique. */
async function newGuest({ db }: TestApp): Promise<object> {
  await db.deleteFrom("party_guests").where("name", "=", "Neu").execute();
  return { name: "Neu", has_agreed: true };
}

export const exportedFields = prefixed("party_guests[].", ["name", "party", "beers"]);

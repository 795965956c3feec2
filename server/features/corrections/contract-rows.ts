import { admins, type ContractRows, prefixed } from "#test/contract-row.ts";

/** Carla, who has a beer. */
const path = "/api/admin/members/3";

export const contractRows = {
  "POST /api/admin/members/:id/name": {
    statuses: admins(200),
    // David's: his session ended.
    path: "/api/admin/members/5/name",
    body: () => ({ name: "David" }),
    fields: ["message"],
  },
  "DELETE /api/admin/members/:id/avatar": { statuses: admins(404), path: "/api/admin/members/999/avatar", fields: [] },
  "GET /api/admin/members/:id/beers": {
    statuses: admins(200, "GET"),
    path: `${path}/beers`,
    fields: prefixed("[].", ["id", "at"]),
  },
  "POST /api/admin/members/:id/beers/take-back": {
    statuses: admins(404),
    path: `${path}/beers/take-back`,
    body: () => ({ ids: [4711] }),
    fields: [],
  },
} satisfies ContractRows;

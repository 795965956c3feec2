import { type ContractRows, members, prefixed } from "#test/contract-row.ts";

export const contractRows = {
  "GET /api/members/:id/page": {
    statuses: members(200, "GET"),
    // David: his session ended, but he is a member.
    path: "/api/members/5/page",
    fields: [
      ...["id", "name", "profile_picture", "today", "party_count"],
      ...prefixed("beers.", ["today", "week", "year", "total"]),
      ...prefixed("round_beers[].", ["count", "day"]),
      ...prefixed("parties[].", ["id", "name", "starts_at", "is_running", "own_total"]),
      ...prefixed("calendar.", ["year", "opened"]),
    ],
  },
} satisfies ContractRows;

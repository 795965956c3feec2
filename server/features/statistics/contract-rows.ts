import { type ContractRows, members, prefixed } from "#test/contract-row.ts";

export const contractRows = {
  "GET /api/beercounter/stats/period": {
    statuses: members(200, "GET"),
    path: "/api/beercounter/stats/period?span=week",
    fields: [
      ..."span from to today earlier later total alcohol_free before".split(" "),
      ...prefixed("bars[].", ["time", "total"]),
      ...prefixed("users[].", ["id", "name", "uname", "profile_picture", "beercounter_entries_count"]),
    ],
  },
} satisfies ContractRows;

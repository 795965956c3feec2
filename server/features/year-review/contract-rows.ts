import { type ContractRows, members, prefixed } from "#test/contract-row.ts";

export const contractRows = {
  "GET /api/beercounter/years": { statuses: members(200, "GET"), fields: ["years[].year", "years[].final", "today"] },
  "GET /api/beercounter/years/:year": {
    statuses: members(200, "GET"),
    path: "/api/beercounter/years/2025",
    fields: [
      "year",
      "final",
      ...prefixed("group.", ["total", "alcohol_free", "previous_total", "days[]", "month", "weekday"]),
      ...prefixed("group.longest.", ["day", "total", "others"]),
      ...prefixed("group.longest.members[].", ["id", "name", "profile_picture"]),
      ...prefixed("own.", ["total", "alcohol_free", "month", "weekday", "first", "last"]),
      ...prefixed("own.company.member.", ["id", "name", "profile_picture"]),
      "own.company.days",
      ...prefixed("own.pause.", ["from", "to", "days"]),
    ],
  },
} satisfies ContractRows;

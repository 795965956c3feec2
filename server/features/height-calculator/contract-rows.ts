import { type ContractRows, members } from "#test/contract-row.ts";

export const contractRows = {
  "GET /api/user/:id/avatar": {
    statuses: members(200, "GET"),
    path: "/api/user/2/avatar",
    fields: ["avatarId", "name"],
  },
} satisfies ContractRows;

import { type ContractRows, members, prefixed, userFields } from "#test/contract-row.ts";

export const contractRows = {
  "POST /api/user/presence": {
    statuses: members(200),
    body: () => ({ is_shown: true, is_paused: false }),
    fields: prefixed("data.", userFields),
  },
  "POST /api/members/:id/toast": {
    statuses: members(204),
    // David: his session ended, but he is a member.
    path: "/api/members/5/toast",
    fields: [],
  },
} satisfies ContractRows;

import { type ContractRows, members } from "#test/contract-row.ts";
import { fixtures } from "#test/fixtures.ts";

export const contractRows = {
  "GET /internal/images/avatar/:id": {
    statuses: members(200, "GET"),
    path: `/internal/images/avatar/${fixtures.avatarId}`,
    fields: [],
  },
} satisfies ContractRows;

import { admins, type ContractRows } from "#test/contract-row.ts";

export const contractRows = {
  "GET /api/admin/openapi": { statuses: admins(200, "GET"), fields: [] },
} satisfies ContractRows;

import { type ContractRows, everyone, everyoneWithToken, prefixed, userFields } from "#test/contract-row.ts";
import { password } from "#test/test-app.ts";

export const contractRows = {
  "GET /sanctum/csrf-cookie": { statuses: everyone(204), fields: [] },
  "GET /api/checkLoginStatus": { statuses: everyone(200), fields: prefixed("user.", userFields) },
  "POST /api/login": {
    statuses: everyoneWithToken(200),
    body: () => ({ uname: "ben", password }),
    fields: prefixed("user.", userFields),
  },
  "GET /api/logout": { statuses: everyone(200), fields: ["message"] },
  "POST /api/logout": { statuses: everyoneWithToken(200), fields: ["message"] },
} satisfies ContractRows;

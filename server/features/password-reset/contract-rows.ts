import { type ContractRows, everyoneWithToken } from "#test/contract-row.ts";
import { password } from "#test/test-app.ts";

export const contractRows = {
  "POST /api/forgot-password": {
    statuses: everyoneWithToken(200),
    body: () => ({ email: "niemand@stammtisch.example" }),
    fields: ["message"],
  },
  "POST /api/reset-password": {
    statuses: everyoneWithToken(422),
    body: () => ({ token: "x".repeat(43), password, password_confirmation: password }),
    fields: [],
  },
} satisfies ContractRows;

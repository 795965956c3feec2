import { createInvitation } from "#server/features/invitations/actions.ts";
import { type ContractRows, everyoneWithToken } from "#test/contract-row.ts";
import { password, type TestApp } from "#test/test-app.ts";

let registrations = 0;

export const contractRows = {
  "POST /api/register": { statuses: everyoneWithToken(201), body: registrationForm, fields: ["message"] },
} satisfies ContractRows;

/** A registration that was not made before, with an invitation of its own. */
async function registrationForm({ context }: TestApp): Promise<object> {
  const { token } = await createInvitation(context, { permissions: [], days: 1, uses: 1, createdBy: null });
  registrations += 1;
  const uname = `newcomer-${registrations}`;
  return {
    token,
    uname,
    name: "Neuling",
    email: `${uname}@stammtisch.example`,
    password,
    password_confirmation: password,
  };
}

import { createInvitation } from "#server/features/accounts/invitation-actions.ts";
import type { ExampleCalls } from "#test/example-call.ts";
import { password, type TestApp } from "#test/test-app.ts";

let registrations = 0;

export const exampleCalls = {
  "POST /api/invitation": {
    body: async ({ context }) => ({ token: await invite(context) }),
  },
  "POST /api/register": { body: registrationForm },
  "POST /api/admin/invitations": {
    body: () => ({ permissions: ["see-game-servers"], days: 7, uses: 2 }),
  },
  "DELETE /api/admin/invitations/:id": {
    path: "/api/admin/invitations/1",
  },
} satisfies ExampleCalls;

async function invite(context: TestApp["context"]): Promise<string> {
  return (await createInvitation(context, { permissions: [], days: 1, uses: 1, createdBy: null })).token;
}

/** Returns a valid registration of a new user, with a new invitation. */
async function registrationForm({ context }: TestApp): Promise<object> {
  const token = await invite(context);
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

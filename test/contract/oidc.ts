import { createIdentity } from "#server/features/accounts/oidc-store.ts";
import { issuerOf } from "#server/platform/oidc/provider.ts";
import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

export const exampleCalls = {
  "POST /api/oidc/login": { body: () => ({ rememberUser: true, return_to: "/profile" }) },
  "POST /api/oidc/finish": { status: 422, body: () => ({ answer: "code=x&state=y" }) },
  "POST /api/oidc/register": {
    status: 422,
    body: () => ({ uname: "ida", name: "Ida", email: "ida@stammtisch.example" }),
  },
  "POST /api/oidc/logout": { status: 400, body: () => ({ logout_token: "x" }) },
  // 422, because the fixtures have already linked each member with an identity.
  "POST /api/user/oidc": { status: 422 },
  "POST /api/user/confirmOidc": { body: () => ({ return_to: "/profile" }) },
} satisfies ExampleCalls;

export const exportedFields = prefixed("oidc_identities[].", ["issuer", "subject", "created_at", "last_used_at"]);

/**
 * Links each member with an identity at the configured provider and with one at another provider.
 * The second link remains when an example call removes the first.
 */
export async function createContractFixtures({ db, clock, config }: TestApp): Promise<void> {
  if (config.oidcIssuer === null) return;
  const times = { created_at: clock.now(), last_used_at: clock.now() };
  for (const { id } of await db.selectFrom("users").select("id").execute()) {
    for (const issuer of [issuerOf(config), "https://earlier.example/"])
      await createIdentity(db, { user_id: id, issuer, subject: `subject-${id}`, ...times });
  }
}

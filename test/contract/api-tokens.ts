import { createToken } from "#server/features/accounts/token-store.ts";
import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

export const exampleCalls = {
  "POST /api/user/tokens": { body: () => ({ name: "Home Assistant", scope: "read", days: 90 }) },
  "DELETE /api/user/tokens/:id": { status: 404, path: "/api/user/tokens/999999" },
} satisfies ExampleCalls;

export const exportedFields = prefixed("api_tokens[].", ["name", "scope", "created_at", "expires_at", "last_used_at"]);

/** Inserts one API token for each member. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const times = { created_at: clock.now(), expires_at: clock.now() + 1, last_used_at: clock.now() };
  for (const { id } of await db.selectFrom("users").select("id").execute())
    await createToken(db, { user_id: id, token_hash: `hash-${id}`, name: "Home Assistant", scope: "read", ...times });
}

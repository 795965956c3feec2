import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import { createTestPasskey } from "#test/passkey.ts";
import type { TestApp } from "#test/test-app.ts";

/** A challenge that the server did not issue and therefore refuses. */
const challenge = "nobody-asked-for-it";
const unknown = createTestPasskey();

export const exampleCalls = {
  "POST /api/user/passkeys": {
    status: 422,
    body: () => ({ credential: unknown.create({ challenge }), name: "Handy" }),
  },
  "POST /api/user/passkeys/:id/name": {
    status: 404,
    path: "/api/user/passkeys/4711/name",
    body: () => ({ name: "Handy" }),
  },
  "DELETE /api/user/passkeys/:id": { status: 404, path: "/api/user/passkeys/4711" },
  "POST /api/login/passkey": { status: 422, body: () => ({ credential: unknown.sign({ challenge }) }) },
  "POST /api/user/confirmPasskey": { status: 422, body: () => ({ credential: unknown.sign({ challenge }) }) },
} satisfies ExampleCalls;

export const exportedFields = prefixed("passkeys[].", ["name", "credential_id", "created_at", "last_used_at"]);

export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select("id").execute();
  const passkey = { public_key: Buffer.from("key"), counter: 0, transports: '["internal"]', name: "Handy" };
  const times = { created_at: clock.now(), last_used_at: clock.now() };
  const rows = users.map(({ id }) => ({ ...passkey, ...times, user_id: id, credential_id: `credential-${id}` }));
  await db.insertInto("passkeys").values(rows).execute();
}

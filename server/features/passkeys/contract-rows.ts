import { type ContractRows, everyoneWithToken, members, prefixed } from "#test/contract-row.ts";
import { createTestPasskey } from "#test/passkey.ts";
import type { TestApp } from "#test/test-app.ts";

const options = (...fields: string[]) => prefixed("options.", ["challenge", "timeout", "rpId", ...fields]);
/** Refused, since nobody asked for this challenge. */
const challenge = "nobody-asked-for-it";
const unknown = createTestPasskey();

export const contractRows = {
  "GET /api/user/passkeys": {
    statuses: members(200, "GET"),
    fields: prefixed("[].", ["id", "name", "created_at", "last_used_at"]),
  },
  "POST /api/user/passkey-options": {
    statuses: members(200),
    fields: prefixed("options.", [
      ..."challenge timeout attestation extensions.credProps".split(" "),
      ...prefixed("rp.", ["id", "name"]),
      ...prefixed("user.", ["id", "name", "displayName"]),
      ...prefixed("pubKeyCredParams[].", ["alg", "type"]),
      ...prefixed("excludeCredentials[].", ["id", "type", "transports[]"]),
      ...prefixed("authenticatorSelection.", ["residentKey", "requireResidentKey", "userVerification"]),
    ]),
  },
  "POST /api/user/passkeys": {
    statuses: members(422),
    body: () => ({ credential: unknown.create({ challenge }), name: "Handy" }),
    fields: [],
  },
  "POST /api/user/passkeys/:id/name": {
    statuses: members(404),
    path: "/api/user/passkeys/4711/name",
    body: () => ({ name: "Handy" }),
    fields: [],
  },
  "DELETE /api/user/passkeys/:id": { statuses: members(404), path: "/api/user/passkeys/4711", fields: [] },
  "POST /api/login/passkey/options": { statuses: everyoneWithToken(200), fields: options("userVerification") },
  "POST /api/login/passkey": {
    statuses: everyoneWithToken(422),
    body: () => ({ credential: unknown.sign({ challenge }) }),
    fields: [],
  },
  "POST /api/user/confirmPasskey/options": {
    statuses: members(200),
    fields: options("userVerification", ...prefixed("allowCredentials[].", ["id", "type", "transports[]"])),
  },
  "POST /api/user/confirmPasskey": {
    statuses: members(422),
    body: () => ({ credential: unknown.sign({ challenge }) }),
    fields: [],
  },
} satisfies ContractRows;

export const exportedFields = prefixed("passkeys[].", ["name", "credential_id", "created_at", "last_used_at"]);

/** A passkey of every member. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select("id").execute();
  const passkey = { public_key: Buffer.from("key"), counter: 0, transports: '["internal"]', name: "Handy" };
  const times = { created_at: clock.now(), last_used_at: clock.now() };
  const rows = users.map(({ id }) => ({ ...passkey, ...times, user_id: id, credential_id: `credential-${id}` }));
  await db.insertInto("passkeys").values(rows).execute();
}

import { tvCodeLifetime } from "#contract/tv.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { type ContractRows, everyone, everyoneWithToken, prefixed } from "#test/contract-row.ts";
import { fixtures } from "#test/fixtures.ts";
import { type TestApp } from "#test/test-app.ts";
import { createPairing } from "./store.ts";

export const contractRows = {
  "GET /api/tv": {
    statuses: everyone(200),
    headers: { "tv-token": fixtures.tvToken },
    fields: [
      "now",
      "version",
      ...prefixed("screen.", ["group_name", "group_short", "total", "tonight"]),
      ...prefixed("screen.parties[].", ["id", "name", "total", "others"]),
      ...prefixed("screen.parties[].members[].", ["id", "name", "avatarId"]),
      ...prefixed("screen.drinkers[].", ["id", "name", "avatarId", "count"]),
      ...prefixed("screen.taps[].", ["id", "name", "avatarId", "at", "kind"]),
      ...prefixed("screen.milestone.", ["id", "kind", "count", "userName", "avatarId", "at"]),
    ],
  },
  "POST /api/tv/code": { statuses: everyoneWithToken(201), fields: ["secret", "code", "expires_in_seconds"] },
  "GET /api/tv/code": { statuses: everyone(200), headers: { "tv-token": fixtures.tvSecret }, fields: ["state"] },
  "GET /api/tv/pictures/:id": {
    // Carla has chosen to show none by then.
    statuses: everyone(404),
    path: `/api/tv/pictures/${fixtures.avatarId}`,
    headers: { "tv-token": fixtures.tvToken },
    fields: [],
  },
} satisfies ContractRows;

export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const carla = await db.selectFrom("users").select("id").where("uname", "=", "carla").executeTakeFirstOrThrow();
  const created_at = clock.now();
  const link = { name: "Theke", token_hash: sha256(fixtures.tvToken), created_by: carla.id, created_at };
  await db.insertInto("tv_links").values(link).execute();
  await createPairing(db, {
    code_hash: sha256("AAAAAA"),
    secret_hash: sha256(fixtures.tvSecret),
    expires_at: created_at + tvCodeLifetime,
    paired_at: null,
  });
}

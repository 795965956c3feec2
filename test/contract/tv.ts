import { tvCodeLifetime } from "#contract/tv.ts";
import { createPairing } from "#server/features/tv/store.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";
import type { TestApp } from "#test/test-app.ts";

export const exampleCalls = {
  "GET /api/tv": {
    headers: { "tv-token": fixtures.tvToken },
  },
  "GET /api/tv/code": { headers: { "tv-token": fixtures.tvSecret } },
  "GET /api/tv/pictures/:id": {
    path: `/api/tv/pictures/${fixtures.avatarId}`,
    headers: { "tv-token": fixtures.tvToken },
  },
  "POST /api/admin/tv": { body: () => ({ name: "Keller" }) },
  "POST /api/admin/tv-code": {
    body: async (app) => ({
      code: (await app.createClient().post("/api/tv/code")).json.code as string,
      name: "Keller",
    }),
  },
  "DELETE /api/admin/tv/:id": { status: 404, path: "/api/admin/tv/999999" },
} satisfies ExampleCalls;

export const exportedFields = [
  ...prefixed("tv_links_made[].", ["name", "made_at", "last_used_at"]),
  "audit[].details.name",
];

export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const carla = await db.selectFrom("users").select("id").where("uname", "=", "carla").executeTakeFirstOrThrow();
  const created_at = clock.now();
  const link = { name: "Theke", token_hash: sha256(fixtures.tvToken), created_by: carla.id, created_at };
  await db.insertInto("tv_links").values(link).execute();
  const tablet = { ...link, name: "Kühlschrank", scope: "tablet", token_hash: sha256(fixtures.tabletToken) } as const;
  await db.insertInto("tv_links").values(tablet).execute();
  await createPairing(db, {
    code_hash: sha256("AAAAAA"),
    secret_hash: sha256(fixtures.tvSecret),
    expires_at: created_at + tvCodeLifetime,
    paired_at: null,
  });
}

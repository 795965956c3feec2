import type { ExampleCalls } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

const gameServerForm = { display_name: "Minecraft", address: null, query: "none", grace: null, idle_stop: null };

export const exampleCalls = {
  "GET /api/game-servers/:id": { path: "/api/game-servers/1" },
  "POST /api/game-servers/:id": { status: 503, path: "/api/game-servers/1", body: () => ({ state: 1 }) },
  "POST /api/game-servers/:id/keep-running": { status: 409, path: "/api/game-servers/1/keep-running" },
  "POST /api/admin/game-servers": {
    status: 422,
    // The form is invalid on purpose: a new server would appear in the lists of other example
    // calls.
    body: () => ({ ...gameServerForm, ref: "minecraft", query: "source" }),
  },
  "POST /api/admin/game-servers/:id": {
    status: 404,
    path: "/api/admin/game-servers/999999",
    body: () => gameServerForm,
  },
  "POST /api/admin/game-server-order": {
    body: async ({ db }) => ({
      ids: (await db.selectFrom("game_servers").select("id").orderBy("position").execute()).map(({ id }) => id),
    }),
  },
  "DELETE /api/admin/game-servers/:id": { status: 404, path: "/api/admin/game-servers/999999" },
  "POST /api/admin/game-servers/:id/test": {
    path: "/api/admin/game-servers/1/test",
  },
} satisfies ExampleCalls;

export async function createContractFixtures({ db }: TestApp): Promise<void> {
  const server = { display_name: "Teeworlds", driver: "docker", ref: "teeworlds", query: "none", position: 1 };
  const start_failure = JSON.stringify({ reason: "refused", detail: "exit 1", at: 0 });
  const players = JSON.stringify({ online: 1, max: 8, names: ["Emil"] });
  await db
    .insertInto("game_servers")
    .values({ ...server, id: 1, phase: "unreachable", created_at: 0, players, start_failure })
    .execute();
}

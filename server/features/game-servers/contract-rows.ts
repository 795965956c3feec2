import { type ContractRows, prefixed, switchers, viewers } from "#test/contract-row.ts";
import { type TestApp } from "#test/test-app.ts";

const fields = [
  "id",
  "display_name",
  "state",
  "is_missing",
  "is_active",
  "start_failure.text",
  "start_failure.detail",
  "start_failure.at",
  "address",
  "players.online",
  "players.max",
  "players.names[]",
  "is_queryable",
  "changed_by",
  "changed_at",
  "auto_stop_at",
  "join_url",
];

export const contractRows = {
  "GET /api/game-servers": { statuses: viewers(200), fields: prefixed("[].", fields) },
  "GET /api/game-servers/:id": { statuses: viewers(200), path: "/api/game-servers/1", fields: fields },
  "POST /api/game-servers/:id": {
    statuses: switchers(503),
    path: "/api/game-servers/1",
    body: () => ({ state: 1 }),
    fields: [],
  },
  "POST /api/game-servers/:id/keep-running": {
    statuses: switchers(409),
    path: "/api/game-servers/1/keep-running",
    fields: [],
  },
} satisfies ContractRows;

/** One game server without an engine. */
export async function createContractFixtures({ db }: TestApp): Promise<void> {
  const server = { display_name: "Teeworlds", driver: "docker", ref: "teeworlds", query: "none", position: 1 };
  const start_failure = JSON.stringify({ reason: "refused", detail: "exit 1", at: 0 });
  const players = JSON.stringify({ online: 1, max: 8, names: ["Emil"] });
  await db
    .insertInto("game_servers")
    .values({ ...server, id: 1, phase: "unreachable", created_at: 0, players, start_failure })
    .execute();
}

import { join } from "node:path";

import { expect, test } from "vitest";

import { openDatabase } from "#server/db/connect.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { createEmptyLocation, runHostCommand } from "#test/host-commands.ts";
import { createTestApp } from "#test/test-app.ts";

const app = await createTestApp({}, { onDisk: true });

test("the command “restore” deactivates the game servers that run programs of the machine and lists these programs", async () => {
  await app.createMember("anna");
  const settings = {
    query: "none",
    created_at: 1,
    phase: "running",
    is_alive: 1,
    changing: "start",
    changing_until: 9e12,
  };
  const rows = [
    { id: 1, position: 1, display_name: "Minecraft", driver: "docker", ref: "minecraft" },
    { id: 2, position: 2, display_name: "C\u001b]S", driver: "script", ref: "/srv/cs.sh" },
    { id: 3, position: 3, display_name: "Teeworlds", driver: "command", ref: '{"argv":["tee\u001b[2J"]}' },
    { id: 4, position: 4, display_name: "Valheim", driver: "unit", ref: "valheim.service" },
  ];
  await app.db
    .insertInto("game_servers")
    .values(rows.map((row) => ({ ...settings, ...row })))
    .execute();
  const file = join(createTemporaryFolder(), "evening.backup");
  await runHostCommand(app, "backup", app.config, [file]);

  const place = await createEmptyLocation();
  const { json, text } = await runHostCommand(app, "restore", place, [file]);
  const inactive = rows.slice(1).map(({ id, display_name, driver }) => ({ id, display_name, driver }));
  expect(json).toMatchObject({ users: 1, inactive_game_servers: inactive });
  expect(text.split("\n").slice(1)).toEqual([
    "These game servers run programs and are inactive. Enable those that you know: stammtisch game-server enable ID",
    "2\tC ]S\tscript /srv/cs.sh",
    '3\tTeeworlds\tcommand {"argv":["tee [2J"]}',
    "4\tValheim\tunit valheim.service",
  ]);
  await using database = openDatabase(place);
  const stored = await database.db
    .selectFrom("game_servers")
    .select(["id", "is_active", "phase", "is_alive", "changing"])
    .orderBy("id")
    .execute();
  const unknown = { is_active: 0, phase: "unknown", is_alive: 0, changing: null };
  expect(stored).toEqual([
    expect.objectContaining({ id: 1, is_active: 1 }),
    { id: 2, ...unknown },
    { id: 3, ...unknown },
    { id: 4, ...unknown },
  ]);
});

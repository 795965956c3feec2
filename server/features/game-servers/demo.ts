import { randomInt } from "node:crypto";
import { join } from "node:path";

import type { DemoSeed } from "#server/platform/demo-seed.ts";
import { addGameServer, type GameServerSetup } from "./actions.ts";

const idleStopMinutes = 20;

/** Adds three real programs that report players; the last one stops automatically when it is empty. */
export const seedDemo: DemoSeed = async (context) => {
  // Random ports below the range of outgoing connections, so that several demos do not collide.
  const firstPort = randomInt(20_000, 30_000);
  const servers = [
    { display_name: "Minecraft – die alte Welt", players: ["Emil", "Frieda", "Greta"] },
    { display_name: "OpenArena am Freitag", players: ["Ben", "Carla"] },
    { display_name: "Teeworlds", players: [] },
  ];
  const program = join(import.meta.dirname, "demo-game-server.ts");
  for (const [index, { display_name, players }] of servers.entries()) {
    const port = firstPort + index;
    const argv = [process.execPath, program, String(port), ...players];
    const setup: GameServerSetup = {
      display_name,
      driver: "command",
      ref: JSON.stringify({ argv, cwd: null, stopSignal: null }),
      address: `localhost:${port}`,
      query: "quake3",
      grace_seconds: 10,
      idle_stop_minutes: players.length === 0 ? idleStopMinutes : null,
    };
    await addGameServer(context, setup, null);
  }
};

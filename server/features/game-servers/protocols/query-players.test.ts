import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import { describe, expect, test } from "vitest";

import {
  type FakeGame,
  createUdpGame,
  createMinecraftGame,
  createQuakeGame,
  createSourceGame,
  type PlayerList,
} from "#test/fake-games.ts";
import { queryPlayers, cleanName, parseAddress } from "./query-players.ts";

const kinds = ["minecraft", "source", "quake3"] as const;
type Kind = (typeof kinds)[number];

function open(kind: Kind, playing: PlayerList): Promise<FakeGame> {
  if (kind === "source") return createSourceGame(() => playing);
  if (kind === "quake3") return createQuakeGame(() => playing);
  const sample = playing.names.map((name) => ({ name, id: "0" }));
  return createMinecraftGame(() =>
    JSON.stringify({ players: { online: playing.names.length, max: playing.max, sample } }),
  );
}

/** Long enough for whoever answers at all. */
const patienceMs = 300;

async function askOnce(game: FakeGame, kind: Kind, patience = patienceMs) {
  const players = await queryPlayers(kind, game.address, patience);
  await game.close();
  return players;
}

describe.each(kinds)("a %s server", (kind) => {
  test("says who plays", async () => {
    const game = await open(kind, { names: ["Emil", "Frieda"], max: 8 });
    expect(await askOnce(game, kind)).toEqual({ online: 2, max: 8, names: ["Emil", "Frieda"] });
  });

  test("says that nobody plays", async () => {
    expect(await askOnce(await open(kind, { names: [], max: 8 }), kind)).toEqual({ online: 0, max: 8, names: [] });
  });

  test("is a stranger: colours, controls and endless names stay outside", async () => {
    const names = ["^1Em^7il", "§cFrie§rda", "\u001b[31mBen\u202e", "x".repeat(200)];
    const players = await askOnce(await open(kind, { names, max: 8 }), kind);
    const expected = ["Emil", "Frieda", "[31mBen", "x".repeat(32)];
    // Quake knows Latin letters only: § and the mark that turns the line around arrive as something else.
    if (kind === "quake3") expect(players?.names[0]).toBe("Emil");
    else expect(players?.names).toEqual(expected);
    for (const name of players?.names ?? []) {
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(name.length).toBeLessThanOrEqual(32);
    }
  });

  test("that is off, or silent, leaves it unknown", async () => {
    const off = await open(kind, { names: [], max: 8 });
    await off.close();
    expect(await queryPlayers(kind, off.address)).toBeNull();
    const silent = kind === "minecraft" ? await silentTcp() : await createUdpGame(() => {});
    expect(await askOnce(silent, kind)).toBeNull();
  });
});

test("a server that is asked for the challenge twice, or cut off, or lies, is unknown", async () => {
  const lies = [
    "A",
    "I\x11no end",
    `D\xff${"\0".repeat(9)}`,
    "infoResponse\n\\g_humanplayers\\-3",
    "infoResponse\n\\g_humanplayers\\many",
    "",
  ];
  const answers = await Promise.all(
    lies.flatMap((lie) =>
      (["source", "quake3"] as const).map(async (kind) => {
        const game = await createUdpGame((_, answer) =>
          answer(Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from(lie, "latin1")])),
        );
        return askOnce(game, kind);
      }),
    ),
  );
  expect(answers.filter((answer) => answer !== null)).toEqual([]);
});

test("a Minecraft server that says anything else is unknown", async () => {
  const lies = [
    "",
    "null",
    "[]",
    "{}",
    '{"players":{"online":"7"}}',
    '{"players":{"online":-1}}',
    `"${"x".repeat(300_000)}"`,
  ];
  for (const lie of lies) {
    const game = await createMinecraftGame(() => lie);
    expect(await askOnce(game, "minecraft", 100), lie.slice(0, 40)).toBeNull();
  }
  const odd = await createMinecraftGame(
    () => '{"players":{"online":3,"max":"?","sample":[{"name":7},null,{"name":"Ben"}]}}',
  );
  expect(await askOnce(odd, "minecraft")).toEqual({ online: 3, max: null, names: ["Ben"] });
});

test("bots are not people", async () => {
  const bots = ["Sarge", "Grunt"];
  const quake = await createQuakeGame(() => ({ names: ["Emil"], max: 8, bots }));
  expect(await askOnce(quake, "quake3")).toEqual({ online: 1, max: 8, names: ["Emil"] });
  const source = await createSourceGame(() => ({ names: ["Emil"], max: 8, bots }));
  expect(await askOnce(source, "source")).toEqual({ online: 1, max: 8, names: [] });
  // Where the game does not tell them apart, everybody counts: better awake for a bot than asleep on a friend.
  const old = await createQuakeGame(() => ({ names: ["Emil"], max: 8, bots }), false);
  expect(await askOnce(old, "quake3")).toEqual({ online: 3, max: 8, names: ["Emil", ...bots] });
});

test("a lost question is asked again", async () => {
  let isLost = true;
  const game = await createUdpGame((question, answer) => {
    const wasLost = isLost;
    isLost = false;
    if (wasLost) return;
    const isInfo = question.includes("getinfo");
    const text = isInfo ? "infoResponse\n\\clients\\0\\sv_maxclients\\4" : "statusResponse\n\\a\\b\n";
    answer(Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from(text)]));
  });
  expect(await askOnce(game, "quake3", 2000)).toEqual({ online: 0, max: 4, names: [] });
});

test.each([
  ["spiele.example:27015", { host: "spiele.example", port: 27_015 }],
  ["127.0.0.1:1", { host: "127.0.0.1", port: 1 }],
  ["[::1]:25565", { host: "::1", port: 25_565 }],
  ["spiele.example", null],
  ["spiele.example:0", null],
  ["spiele.example:65536", null],
  ["http://spiele.example:80", null],
  ["a b:80", null],
  [":80", null],
])("%s is a place, or none", (address, place) => {
  expect(parseAddress(address)).toEqual(place);
});

test("names keep what people wrote", () => {
  expect(cleanName("  Jörg-🍺 ^^ ")).toBe("Jörg-🍺 ^^");
  expect(cleanName("^1^2^3")).toBe("");
});

async function silentTcp(): Promise<FakeGame> {
  const server = createServer((socket) => void socket.on("error", () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries: 0,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

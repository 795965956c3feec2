import { beforeEach, describe, expect, test, vi } from "vitest";

import { parseAddress } from "#contract/game-servers.ts";
import {
  createMinecraftGame,
  createQuakeGame,
  createSourceGame,
  createTcpGame,
  createUdpGame,
  type FakeGame,
  type PlayerList,
} from "#test/fake-games.ts";
import { cleanName, queryPlayers } from "./query-players.ts";

const kinds = ["minecraft", "source", "quake3"] as const;
type Kind = (typeof kinds)[number];

function createGame(kind: Kind, playing: PlayerList): Promise<FakeGame> {
  if (kind === "source") return createSourceGame(() => playing);
  if (kind === "quake3") return createQuakeGame(() => playing);
  const sample = playing.names.map((name) => ({ name, id: "0" }));
  return createMinecraftGame(() =>
    JSON.stringify({ players: { online: playing.names.length, max: playing.max, sample } }),
  );
}

/** Query timeout in milliseconds for games whose answer is not expected. */
const shortly = 300;

const queryOnce = (game: FakeGame, kind: Kind, timeoutMs = 10_000) => queryPlayers(kind, game.address, timeoutMs);

/** Stops the time after which the list of players counts as missing, because a machine may be slow. */
const waitForLists = () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

describe.each(kinds)("a %s server", (kind) => {
  if (kind === "source") beforeEach(waitForLists);

  test("queryPlayers returns the players of a game server and their maximum number", async () => {
    const game = await createGame(kind, { names: ["Emil", "Frieda"], max: 8 });
    expect(await queryOnce(game, kind)).toEqual({ online: 2, max: 8, names: ["Emil", "Frieda"] });
  });

  test("queryPlayers returns a count of zero for a game server without players", async () => {
    const game = await createGame(kind, { names: [], max: 8 });
    expect(await queryOnce(game, kind)).toEqual({ online: 0, max: 8, names: [] });
  });

  test("queryPlayers removes colours, control characters and excess length from player names", async () => {
    const names = ["^1Em^7il", "§cFrie§rda", "\u001b[31mBen\u202e", "x".repeat(200)];
    const players = await queryOnce(await createGame(kind, { names, max: 8 }), kind);
    const expected = ["Emil", "Frieda", "[31mBen", "x".repeat(32)];
    // Quake only knows Latin-1, so § and the right-to-left mark arrive as other characters.
    if (kind === "quake3") expect(players?.names[0]).toBe("Emil");
    else expect(players?.names).toEqual(expected);
    for (const name of players?.names ?? []) {
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      expect(name.length).toBeLessThanOrEqual(32);
    }
  });

  test("queryPlayers returns null for a game server that is off or does not answer", async () => {
    const off = await createGame(kind, { names: [], max: 8 });
    await off.close();
    expect(await queryPlayers(kind, off.address)).toBeNull();
    const silent = kind === "minecraft" ? await createTcpGame(() => {}) : await createUdpGame(() => {});
    expect(await queryOnce(silent, kind, shortly)).toBeNull();
  });
});

const datagram = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1")));
const prefix = "\xff\xff\xff\xff";
/** 45 MB of zeros, compressed with bzip2, as the only part of a split answer. */
const bomb = Buffer.concat([
  datagram("\xfe\xff\xff\xff\x01\0\0\x80\x01\0\xd0\x04\0\0\0\x1a\0\0\0\0"),
  Buffer.from("QlpoOTFBWSZTWckBtsgBWKtAIMAAEAAACCAAMMwFKaZSSFJsVJIUni7kinChIZIDbZA=", "base64"),
]);

/** Queries a game for each row in parallel, and expects unknown players from every game. */
async function expectUnknown<Row>(
  rows: readonly (readonly [name: string, row: Row])[],
  query: (row: Row) => Promise<unknown>,
): Promise<void> {
  const results = await Promise.all(rows.map(async ([name, row]) => [name, await query(row)] as const));
  expect(results).toEqual(rows.map(([name]) => [name, null]));
}

test.each(["source", "quake3"] as const)("queryPlayers returns null if a %s server answers nonsense", async (kind) => {
  const answers: readonly (readonly [string, Buffer])[] = [
    ["nothing", datagram("")],
    ["a prefix alone", datagram(prefix)],
    ["challenges without end", datagram(prefix, "A\x0b\xad\xf0\x0d")],
    ["a challenge that is cut off", datagram(prefix, "A")],
    ["an info that is cut off in its name", datagram(prefix, "I\x11no end")],
    ["an info that is cut off before its counts", datagram(prefix, "I\x11a\0b\0c\0d\0\xb8\x01")],
    ["players before they were asked for", datagram(prefix, "D\xff", "\0".repeat(9))],
    ["one piece of many, again and again", datagram("\xfe\xff\xff\xff\x01\0\0\0\xff\x01\xd0\x04", "x".repeat(1200))],
    ["a packed answer", bomb],
    ["more than any answer is long", datagram(prefix, "I\x11", "x".repeat(60_000))],
    ["an info without a count", datagram(prefix, "infoResponse\n")],
    ["fewer than nobody", datagram(prefix, "infoResponse\n\\g_humanplayers\\-3")],
    ["a number in words", datagram(prefix, "infoResponse\n\\g_humanplayers\\many")],
    ["NUL characters", datagram(prefix, "\0".repeat(1000))],
  ];
  await expectUnknown(answers, async (answer) => {
    const game = await createUdpGame((_question, reply) => {
      for (let copies = 0; copies < 20; copies += 1) reply(answer);
    });
    return queryOnce(game, kind, shortly);
  });
});

test("queryPlayers returns null for invalid answers of a Minecraft server", async () => {
  const statuses = [
    ["nothing", ""],
    ["no object", "null"],
    ["a list", "[]"],
    ["no players", "{}"],
    ["a count as text", '{"players":{"online":"7"}}'],
    ["fewer than nobody", '{"players":{"online":-1}}'],
    ["more than any answer is long", `"${"x".repeat(300_000)}"`],
  ] as const;
  await expectUnknown(statuses, async (status) =>
    queryOnce(await createMinecraftGame(() => status), "minecraft", shortly),
  );
  const packets = [
    ["a length without end", "\xff".repeat(20)],
    ["a length of 2 GB", "\xff\xff\xff\xff\x07\0\xff\xff\xff\xff\x07{}"],
    ["another packet", "\x03\x01\x01x"],
  ] as const;
  await expectUnknown(packets, async (bytes) =>
    queryOnce(await createTcpGame((socket) => socket.write(bytes, "latin1")), "minecraft", shortly),
  );
});

test("queryPlayers disconnects from a Minecraft server that answers too slowly or endlessly", async () => {
  const dripping = await createTcpGame((socket) => {
    const timer = setInterval(() => socket.write("\x7f"), 10);
    socket.on("close", () => clearInterval(timer));
  });
  expect(await queryOnce(dripping, "minecraft", 200)).toBeNull();

  let sent = 0;
  const flooding = await createTcpGame((socket) => {
    socket.write("\xff\xff\xff\x7f\0\xff\xff\xff\x7f", "latin1");
    const write = (): void => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) sent += 65_536;
      socket.once("drain", write);
    };
    write();
  });
  expect(await queryOnce(flooding, "minecraft", 2000)).toBeNull();
  // The limit includes bytes in flight, which were sent before the connection closed.
  expect(sent).toBeLessThan(20_000_000);
});

test("queryPlayers omits an invalid maximum and invalid names but keeps the player count", async () => {
  const odd = '{"players":{"online":3,"max":"?","sample":[{"name":7},null,{"name":"Ben"}]}}';
  expect(await queryOnce(await createMinecraftGame(() => odd), "minecraft")).toEqual({
    online: 3,
    max: null,
    names: ["Ben"],
  });
});

test("queryPlayers returns only the count for a game that does not list its players", async () => {
  const info = datagram(prefix, "I\x11a\0b\0c\0d\0\xb8\x01\x03\x08\0");
  const source = await createUdpGame((question, reply) => {
    if (question[4] === 0x54) reply(info);
  });
  expect(await queryOnce(source, "source")).toEqual({ online: 3, max: 8, names: [] });
  const quake = await createUdpGame((question, reply) =>
    reply(datagram(prefix, question.includes("getinfo") ? "infoResponse\n\\clients\\2" : "statusResponse\n\\a\\b\n")),
  );
  expect(await queryOnce(quake, "quake3")).toEqual({ online: 2, max: null, names: [] });
});

test("queryPlayers does not count bots as players", async () => {
  const bots = ["Sarge", "Grunt"];
  const quake = await createQuakeGame(() => ({ names: ["Emil"], max: 8, bots }));
  expect(await queryOnce(quake, "quake3")).toEqual({ online: 1, max: 8, names: ["Emil"] });
  const source = await createSourceGame(() => ({ names: ["Emil"], max: 8, bots }));
  expect(await queryOnce(source, "source")).toEqual({ online: 1, max: 8, names: [] });
  // Counts bots of a game that does not distinguish them: otherwise a server with people could stop as empty.
  const old = await createQuakeGame(() => ({ names: ["Emil"], max: 8, bots }), false);
  expect(await queryOnce(old, "quake3")).toEqual({ online: 3, max: 8, names: ["Emil", ...bots] });
});

test("queryPlayers resends a query that was lost", async () => {
  let isLost = true;
  const game = await createUdpGame((question, answer) => {
    const wasLost = isLost;
    isLost = false;
    if (wasLost) return;
    const isInfo = question.includes("getinfo");
    const text = isInfo ? "infoResponse\n\\clients\\0\\sv_maxclients\\4" : "statusResponse\n\\a\\b\n";
    answer(Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from(text)]));
  });
  expect(await queryOnce(game, "quake3")).toEqual({ online: 0, max: 4, names: [] });
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
])("parseAddress parses the address %s", (address, place) => {
  expect(parseAddress(address)).toEqual(place);
});

test("cleanName keeps letters, emoji and spaces in the name of a player", () => {
  expect(cleanName("  Jörg-🍺 ^^ ")).toBe("Jörg-🍺 ^^");
  expect(cleanName("^1^2^3")).toBe("");
});

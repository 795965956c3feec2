import { createSocket, type Socket } from "node:dgram";
import { type AddressInfo, createServer, type Socket as TcpSocket } from "node:net";

import { endWithTest } from "./cleanup.ts";

/** A game server whose answers the test controls; it is closed after the test or the file. */
export interface FakeGame {
  /** The address as `host:port`. */
  readonly address: string;
  /** Number of queries received. */
  readonly queries: number;
  close(): Promise<void>;
}

export interface PlayerList {
  readonly names: readonly string[];
  readonly max: number;
  readonly bots?: readonly string[];
}

const packetPrefix = Buffer.from([0xff, 0xff, 0xff, 0xff]);
const challenge = Buffer.from([0x0b, 0xad, 0xf0, 0x0d]);

/**
 * Creates a game that speaks A2S, the query protocol of Source games, and requires a challenge for
 * both queries, as these games have since 2020.
 */
export function createSourceGame(playing: () => PlayerList): Promise<FakeGame> {
  return createUdpGame((question, answer) => {
    const kind = question[4];
    const isTrusted = question.subarray(-4).equals(challenge);
    if (!isTrusted) return answer(Buffer.concat([packetPrefix, Buffer.from("A"), challenge]));
    const { names, max, bots = [] } = playing();
    const everybody = [...names, ...bots];
    if (kind === 0x54) {
      const texts = Buffer.from("Stammtisch\0cp_keller\0tf\0Team Fortress\0");
      const counts = Buffer.from([0xb8, 0x01, everybody.length, max, bots.length, 0x64, 0x6c, 0, 1]);
      return answer(Buffer.concat([packetPrefix, Buffer.from("I"), Buffer.from([17]), texts, counts]));
    }
    const players = everybody.map((name) => Buffer.concat([Buffer.from(`\0${name}\0`), Buffer.alloc(8)]));
    answer(Buffer.concat([packetPrefix, Buffer.from("D"), Buffer.from([everybody.length]), ...players]));
  });
}

/**
 * Creates a game that speaks the protocol of Quake 3. With `countsHumans`, its info contains the
 * number of human players, as in OpenArena and newer ioquake3.
 */
export function createQuakeGame(playing: () => PlayerList, countsHumans = true, port = 0): Promise<FakeGame> {
  return createUdpGame((question, answer) => {
    const { names, max, bots = [] } = playing();
    const words = question.toString("latin1", 4);
    if (words.startsWith("getinfo")) {
      const humans = countsHumans ? `\\g_humanplayers\\${names.length}` : "";
      const info = `\\protocol\\71${humans}\\clients\\${names.length + bots.length}\\sv_maxclients\\${max}`;
      return answer(Buffer.concat([packetPrefix, Buffer.from(`infoResponse\n${info}`, "latin1")]));
    }
    const lines = [...names.map((name) => `7 48 "${name}"`), ...bots.map((name) => `3 0 "${name}"`)];
    const text = `statusResponse\n\\mapname\\oa_dm1\n${lines.map((line) => `${line}\n`).join("")}`;
    answer(Buffer.concat([packetPrefix, Buffer.from(text, "latin1")]));
  }, port);
}

/**
 * Creates a game on UDP that calls `reply` for every query, with a function that sends the answer.
 */
export function createUdpGame(
  reply: (question: Buffer, answer: (bytes: Buffer) => void) => void,
  port = 0,
): Promise<FakeGame> {
  const socket: Socket = createSocket("udp4");
  let queries = 0;
  socket.on("message", (question, from) => {
    queries += 1;
    reply(question, (bytes) => socket.send(bytes, from.port, from.address));
  });
  return new Promise((resolve) =>
    socket.bind(port, "127.0.0.1", () =>
      resolve({
        address: `127.0.0.1:${socket.address().port}`,
        get queries() {
          return queries;
        },
        close: endWithTest(() => new Promise<void>((closed) => socket.close(() => closed()))),
      }),
    ),
  );
}

/**
 * Creates a game that answers Minecraft's server list ping with this JSON text, split into two
 * packets as networks may do.
 */
export function createMinecraftGame(status: () => string): Promise<FakeGame> {
  return createTcpGame((socket) => {
    const text = Buffer.from(status());
    const body = Buffer.concat([Buffer.from([0x00]), varint(text.length), text]);
    const packet = Buffer.concat([varint(body.length), body]);
    socket.write(packet.subarray(0, 3));
    setTimeout(() => socket.write(packet.subarray(3)), 5);
  });
}

/** Creates a game that calls `reply` once per connection, when the first bytes have arrived. */
export async function createTcpGame(reply: (socket: TcpSocket) => void): Promise<FakeGame> {
  let queries = 0;
  const sockets = new Set<TcpSocket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("data", () => {
      queries += 1;
      reply(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get queries() {
      return queries;
    },
    close: endWithTest(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => server.close(() => closed()));
    }),
  };
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  let rest = number;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
}

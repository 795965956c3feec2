import type { GameAddress } from "#contract/game-servers.ts";
import type { QueryResult } from "./query-result.ts";
import { packetHeader, type SendQuery, withUdpSocket } from "./udp.ts";

const infoQuery = Buffer.concat([packetHeader, Buffer.from("TSource Engine Query\0")]);
const noChallenge = Buffer.from([0xff, 0xff, 0xff, 0xff]);
const kinds = { challenge: 0x41, info: 0x49, players: 0x44 } as const;
/** Some games count players without ever listing them, or send a long list in parts. */
const listMs = 800;

/** Uses Valve's A2S_INFO and A2S_PLAYER, which many games support. */
export function querySource(address: GameAddress, signal: AbortSignal): Promise<QueryResult> {
  return withUdpSocket(address, signal, async (send) => {
    const infoAnswer = await sendWithChallenge(send, kinds.info, (challenge) => [infoQuery, challenge]);
    const { players, max, bots } = parseInfo(infoAnswer);
    const online = Math.max(0, players - bots);
    if (online === 0) return { online, max, names: [] };
    const noList = new Promise<string[]>((resolve) => void setTimeout(resolve, listMs, []).unref());
    const names = await Promise.race([listNames(send), noList]);
    // The list does not tell bots from people.
    return { online, max, names: names.length === online || bots === 0 ? names : [] };
  });
}

async function listNames(send: SendQuery): Promise<string[]> {
  return parsePlayers(
    await sendWithChallenge(send, kinds.players, (challenge) => [
      packetHeader,
      Buffer.from("U"),
      challenge.length > 0 ? challenge : noChallenge,
    ]),
  );
}

/** The server may ask for a challenge to verify the sender's address. */
async function sendWithChallenge(
  send: SendQuery,
  kind: number,
  query: (challenge: Buffer) => readonly Buffer[],
): Promise<Buffer> {
  const isExpected = (answer: Buffer): boolean => isKind(answer, kind) || isKind(answer, kinds.challenge);
  const first = await send(Buffer.concat(query(Buffer.alloc(0))), isExpected);
  if (isKind(first, kind)) return first;
  return send(Buffer.concat(query(first.subarray(5, 9))), (answer) => isKind(answer, kind));
}

function isKind(answer: Buffer, kind: number): boolean {
  return answer.length >= 6 && answer.readInt32LE(0) === -1 && answer[4] === kind;
}

/** The numbers follow the protocol byte, four strings (name, map, folder, game) and the game's id. */
function parseInfo(answer: Buffer): { players: number; max: number; bots: number } {
  let at = 6;
  for (let strings = 0; strings < 4; strings += 1) at = endOfString(answer, at);
  at += 2;
  return { players: answer.readUInt8(at), max: answer.readUInt8(at + 1), bots: answer.readUInt8(at + 2) };
}

/** The list has a count, and then the index, name, score and seconds of each player. */
function parsePlayers(answer: Buffer): string[] {
  const names: string[] = [];
  let at = 6;
  for (let left = answer.readUInt8(5); left > 0 && at < answer.length; left -= 1) {
    const end = endOfString(answer, at + 1);
    const name = answer.toString("utf8", at + 1, end - 1);
    // Players who are still connecting have no name yet.
    if (name !== "") names.push(name);
    at = end + 8;
  }
  return names;
}

function endOfString(answer: Buffer, from: number): number {
  const end = answer.indexOf(0, from);
  if (end < 0) throw new RangeError("cut off");
  return end + 1;
}

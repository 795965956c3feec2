import type { GameAddress } from "#contract/game-servers.ts";
import type { QueryResult } from "./query-result.ts";
import { packetHeader, withUdpSocket } from "./udp.ts";

interface Player {
  readonly ping: number;
  readonly name: string;
}

/** Queries by `getinfo` and `getstatus`, also OpenArena, Xonotic and Urban Terror. */
export function queryQuake3(address: GameAddress, signal: AbortSignal): Promise<QueryResult> {
  return withUdpSocket(address, signal, async (send) => {
    const info = parseInfo(await send(createQuery("getinfo stammtisch"), isResponse("infoResponse")));
    const players = parsePlayers(await send(createQuery("getstatus"), isResponse("statusResponse")));
    const humans = info.get("g_humanplayers");
    // Without a number of humans, bots count as players, and so do players missing from the list.
    const online = Number(humans ?? Math.max(players.length, Number(info.get("clients") ?? 0)));
    // Bots have a ping of 0. Names are returned only if exactly `online` people, or players, are listed.
    const people = players.filter(({ ping }) => ping > 0);
    const listed = [people, players].find((list) => list.length === online) ?? [];
    return { online, max: Number(info.get("sv_maxclients")), names: listed.map(({ name }) => name) };
  });
}

function createQuery(text: string): Buffer {
  return Buffer.concat([packetHeader, Buffer.from(`${text}\n`)]);
}

function isResponse(word: string): (answer: Buffer) => boolean {
  const start = Buffer.concat([packetHeader, Buffer.from(word)]);
  return (answer) => answer.subarray(0, start.length).equals(start);
}

/** The games know no other encoding than Latin-1. */
function linesOf(answer: Buffer): string[] {
  return answer.subarray(packetHeader.length).toString("latin1").split("\n");
}

/** The second line has the form `\key\value\key\value`. */
function parseInfo(answer: Buffer): Map<string, string> {
  const parts = (linesOf(answer)[1] ?? "").split("\\").slice(1);
  const info = new Map<string, string>();
  for (let index = 0; index < parts.length; index += 2) info.set(parts[index]!, parts[index + 1] ?? "");
  return info;
}

/** One player per line from the third line on: score, ping, "name". */
function parsePlayers(answer: Buffer): Player[] {
  return linesOf(answer)
    .slice(2)
    .flatMap((line) => {
      const [, ping, name] = /^-?\d+ (-?\d+) "(.*)"$/.exec(line) ?? [];
      return name === undefined ? [] : [{ ping: Number(ping), name }];
    });
}

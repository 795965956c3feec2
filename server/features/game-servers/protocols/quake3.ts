import type { Address, QueryResult } from "./query-result.ts";
import { packetHeader, withUdpSocket } from "./udp.ts";

/** Quake 3 and its kin (OpenArena, Xonotic, Urban Terror): `getinfo`, then `getstatus`. */
export function queryQuake3(place: Address, signal: AbortSignal): Promise<QueryResult> {
  return withUdpSocket(place, signal, async (ask) => {
    const info = readInfo(await ask(question("getinfo stammtisch"), isAnswer("infoResponse")));
    const status = textOf(await ask(question("getstatus"), isAnswer("statusResponse"))).split("\n");
    // Each line: score, ping, "name".
    const lines = status.slice(2).flatMap((line) => /^-?\d+ (-?\d+) "(.*)"$/.exec(line) ?? []);
    const players = pairs(lines);
    const humans = info.get("g_humanplayers");
    const online = humans === undefined ? players.length : Number(humans);
    // Bots have no ping. Where the game counts people itself and the rest cannot be told apart, no names are better than wrong ones.
    const people = players.filter(({ ping }) => ping > 0);
    const named = people.length === online ? people : players.length === online ? players : [];
    return { online, max: Number(info.get("sv_maxclients")), names: named.map(({ name }) => name) };
  });
}

function question(words: string): Buffer {
  return Buffer.concat([packetHeader, Buffer.from(`${words}\n`)]);
}

function isAnswer(word: string): (answer: Buffer) => boolean {
  const start = Buffer.concat([packetHeader, Buffer.from(word)]);
  return (answer) => answer.subarray(0, start.length).equals(start);
}

/** Latin, as these games know nothing else. */
function textOf(answer: Buffer): string {
  return answer.subarray(packetHeader.length).toString("latin1");
}

/** The second line is `\key\value\key\value`. */
function readInfo(answer: Buffer): Map<string, string> {
  const words = (textOf(answer).split("\n")[1] ?? "").split("\\").slice(1);
  return new Map(words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? ""] as const] : [])));
}

function pairs(matches: readonly string[]): { ping: number; name: string }[] {
  const players: { ping: number; name: string }[] = [];
  for (let index = 0; index + 2 < matches.length; index += 3) {
    players.push({ ping: Number(matches[index + 1]), name: matches[index + 2]! });
  }
  return players;
}

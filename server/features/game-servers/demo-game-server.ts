// Answers only queries of the Quake 3 protocol. Arguments: a port, and the names of players who join one after the
// other.
import { createSocket } from "node:dgram";

const [port, ...players] = process.argv.slice(2);
const startedAt = Date.now();
const secondsBetweenPlayers = 20;
const slots = 8;
const shutdownMs = 1500;
const packetPrefix = Buffer.from([0xff, 0xff, 0xff, 0xff]);

const socket = createSocket("udp4");
socket.on("message", (question, from) => {
  const answer = reply(question.toString("latin1", packetPrefix.length));
  if (answer) socket.send(Buffer.concat([packetPrefix, Buffer.from(answer, "latin1")]), from.port, from.address);
});
socket.bind(Number(port), "127.0.0.1");
process.on("SIGTERM", () => setTimeout(() => process.exit(0), shutdownMs));

function reply(question: string): string | null {
  const here = players.slice(0, Math.floor((Date.now() - startedAt) / 1000 / secondsBetweenPlayers) + 1);
  if (question.startsWith("getinfo"))
    return `infoResponse\n\\clients\\${here.length}\\g_humanplayers\\${here.length}\\sv_maxclients\\${slots}`;
  if (question.startsWith("getstatus"))
    return `statusResponse\n\\mapname\\keller\n${here.map((name) => `0 25 "${name}"\n`).join("")}`;
  return null;
}

// A game server for the demo, a program of its own: nothing to play, but it answers who plays, as Quake 3 does.
// Called with a port and the names of those who will turn up, one after the other.
import { createSocket } from "node:dgram";

const [port, ...regulars] = process.argv.slice(2);
const began = Date.now();
const secondsBetween = 20;
const places = 8;
const farewellMs = 1500;
const mark = Buffer.from([0xff, 0xff, 0xff, 0xff]);

const socket = createSocket("udp4");
socket.on("message", (question, from) => {
  const answer = reply(question.toString("latin1", mark.length));
  if (answer) socket.send(Buffer.concat([mark, Buffer.from(answer, "latin1")]), from.port, from.address);
});
socket.bind(Number(port), "127.0.0.1");
process.on("SIGTERM", () => setTimeout(() => process.exit(0), farewellMs));

function reply(question: string): string | null {
  const here = regulars.slice(0, Math.floor((Date.now() - began) / 1000 / secondsBetween) + 1);
  if (question.startsWith("getinfo"))
    return `infoResponse\n\\clients\\${here.length}\\g_humanplayers\\${here.length}\\sv_maxclients\\${places}`;
  if (question.startsWith("getstatus"))
    return `statusResponse\n\\mapname\\keller\n${here.map((name) => `0 25 "${name}"\n`).join("")}`;
  return null;
}

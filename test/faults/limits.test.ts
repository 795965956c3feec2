import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";

import sharp from "sharp";
import { expect, test } from "vitest";

import { fixtures } from "#test/fixtures.ts";
import { type ChannelSocket, openPages, subscribeToChannel } from "#test/process/channel-socket.ts";
import { counters, tap } from "#test/process/load.ts";
import { startServerProcess } from "#test/process/server-process.ts";
import { upload } from "#test/upload.ts";
import { memoryOf } from "./process-stats.ts";
import { databases, report } from "./report.ts";

const openFiles = 256;
const memoryBytes = 256 * 1_048_576;
const sockets = 2000;
/**
 * The folder of cgroup v1, with which root can limit the memory of a process; not every kernel has
 * it.
 */
const memoryGroups = "/sys/fs/cgroup/memory";
const mayBound = process.getuid?.() === 0 && existsSync(`${memoryGroups}/memory.limit_in_bytes`);

test.for(databases)(
  "a server at its limit of open files serves connected visitors, and all visitors once files are closed (%s)",
  async (db) => {
    await using server = await startServerProcess({
      database: db,
      wrapper: ["prlimit", `--nofile=${openFiles}:${openFiles}`],
    });
    const [anna] = await server.createMembers("anna");
    const { pid } = server;
    const page = await subscribeToChannel(server, anna!);
    const crowd: Socket[] = [];
    for (let one = 0; one < 400; one += 1) crowd.push(connect(server.port, "127.0.0.1").on("error", () => {}));
    const turnedAway = () => crowd.filter(({ destroyed }) => destroyed).length;
    await expect.poll(turnedAway, { timeout: 10_000 }).toBeGreaterThan(400 - openFiles);
    const turned = turnedAway();
    // Some visitors leave, which frees descriptors for a tap and a picture.
    for (const one of crowd.filter(({ destroyed }) => !destroyed).slice(0, 20)) one.destroy();
    await expect.poll(async () => (await tap(anna!, "in-the-crowd").catch(() => null))?.status).toBe(200);
    expect((await upload(anna!, fixtures.png)).status).toBe(201);
    await expect.poll(() => page.events.at(-1)?.data["counterVal"]).toBe(1);

    for (const one of crowd) one.destroy();
    const began = performance.now();
    const pages = await openPages(server, [anna!], 15);
    const backMs = Math.round(performance.now() - began);
    for (const { close } of [page, ...pages]) close();
    const lines = server.output.errors.split("\n").filter((line) => line.includes("connections-dropped"));
    report(
      "T076",
      {
        openFiles,
        "turned away": turned,
        "lines in the log": lines.length,
        "15 pages again after, ms": backMs,
      },
      "others served, one line, 5000 ms",
      db,
    );
    expect([server.pid, lines.length]).toEqual([pid, 1]);
    expect(backMs).toBeLessThanOrEqual(5000);
    expect((await anna!.get(counters)).json.KSKCounterVal).toBe(1);
  },
);

test.runIf(mayBound)("a server with 2,000 open pages, taps and uploads needs at most 256 MiB of memory", async () => {
  const group = `${memoryGroups}/stammtisch-${randomUUID()}`;
  mkdirSync(group);
  writeFileSync(`${group}/memory.limit_in_bytes`, String(memoryBytes));
  try {
    await using server = await startServerProcess({
      wrapper: ["sh", "-c", `echo $$ > ${group}/cgroup.procs && exec "$@"`, "sh"],
      env: { WS_MAX_PER_USER: String(sockets), WS_MAX_PER_IP: String(sockets) },
    });
    const members = await server.createMembers("anna", "bert", "carla", "dora");
    const pages = await openPages(server, members, sockets);
    const side = { width: 1000, height: 1000, channels: 3, background: "gold" } as const;
    const picture = await sharp({ create: side }).png().toBuffer();
    const [beers, pictures] = [[] as number[], [] as number[]];
    for (let round = 0; round < 5; round += 1) {
      const work = members.map(async (member) => {
        pictures.push((await upload(member, picture)).status);
        beers.push((await tap(member, randomUUID())).status);
      });
      await Promise.all(work);
    }
    const peak = Math.round(Number(readFileSync(`${group}/memory.max_usage_in_bytes`, "utf8")) / 1_048_576);
    const isOpen = ({ webSocket }: ChannelSocket) => webSocket.readyState === webSocket.OPEN;
    const left = pages.filter(isOpen).length;
    for (const { close } of pages) close();
    report(
      "T077",
      {
        pages: left,
        pictures: pictures.length,
        "RSS, MiB": memoryOf(server.pid),
        "most taken, files in memory included, MiB": peak,
      },
      "stays under 256 MiB",
    );
    expect([left, new Set(pictures), new Set(beers)]).toEqual([sockets, new Set([201]), new Set([200])]);
  } finally {
    // The control group can be removed, because the server has ended and left it empty.
    rmdirSync(group);
  }
});

import { connect, type Socket } from "node:net";

import { expect, test } from "vitest";

import { tap } from "./drinking.ts";
import { openServer } from "./server.ts";

test("more connections than files may be open: some are turned away in one line, and nothing else is lost", async () => {
  await using server = await openServer({ under: ["prlimit", "--nofile=128:128"] });
  await server.start();
  const [anna] = await server.members("anna");
  const crowd: Socket[] = [];
  for (let one = 0; one < 100; one += 1) crowd.push(connect(server.port, "127.0.0.1").on("error", () => {}));
  await expect.poll(() => crowd.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(30);
  await expect.poll(() => server.written.errors).toContain("connections-turned-away");
  expect((await server.command("user", "list")).code).toBe(0);
  for (const one of crowd) one.destroy();
  await expect.poll(async () => (await tap(anna!, "after-the-crowd").catch(() => null))?.status).toBe(200);
  expect(server.written.errors.trim().split("\n")).toHaveLength(1);
});

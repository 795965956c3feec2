import { connect, type Socket } from "node:net";

import { expect, test } from "vitest";

import { tap } from "./load.ts";
import { startServerProcess } from "./server-process.ts";

test("a server at its limit of open files drops connections, logs one line, and keeps all beers", async () => {
  await using server = await startServerProcess({ wrapper: ["prlimit", "--nofile=128:128"] });
  const [anna] = await server.createMembers("anna");
  const crowd: Socket[] = [];
  for (let one = 0; one < 100; one += 1) crowd.push(connect(server.port, "127.0.0.1").on("error", () => {}));
  await expect.poll(() => crowd.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(30);
  await expect.poll(() => server.output.errors).toContain("connections-dropped");
  expect(await server.call("user", "list")).toHaveLength(1);
  for (const one of crowd) one.destroy();
  await expect.poll(async () => (await tap(anna!, "after-the-crowd").catch(() => null))?.status).toBe(200);
  expect(server.output.errors.match(/"connections-dropped"/g)).toHaveLength(1);
  expect(server.output.errors).not.toContain('"level":"error"');
});

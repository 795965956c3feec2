import { expect, test } from "vitest";

import { subscribeToChannel } from "./channel-socket.ts";
import { holdRequest, statusOf } from "./held-request.ts";
import { counters } from "./load.ts";
import { startServerProcess } from "./server-process.ts";

test("the server answers the request in flight on SIGTERM, tells sockets to reconnect, and exits with 0", async () => {
  await using server = await startServerProcess({ env: { LOG_LEVEL: "info" } });
  const [anna] = await server.createMembers("anna");
  const sockets = await Promise.all([subscribeToChannel(server, anna!), subscribeToChannel(server, anna!)]);
  const slow = await holdRequest(server, anna!, counters, {});
  const ended = server.exited();
  const began = performance.now();
  server.signal("SIGTERM");
  await expect.poll(() => server.output.errors).toContain("stopping");
  const probe = server.createClient();
  expect((await probe.get("/readyz")).status, "a proxy sends new requests elsewhere").toBe(503);
  expect((await probe.get("/healthz")).status, "requests are still answered").toBe(200);
  expect(statusOf(await slow.release())).toBe(200);
  const codes = await Promise.all(sockets.map(async ({ closed }) => (await closed).code));
  expect(codes).toEqual([4100, 4100]);
  expect(await ended).toMatchObject({ code: 0, signal: null });
  expect(performance.now() - began).toBeLessThan(8000);
  const lines = server.output.errors.trim().split("\n");
  const events = lines.map((line) => (JSON.parse(line) as { event: string }).event);
  expect(events).toEqual(expect.arrayContaining(["listening", "stopping", "stopped"]));
  await server.start();
  expect((await anna!.get(counters)).json.KSKCounterVal).toBe(1);
});

import { connect, createServer } from "node:net";

import { expect, test } from "vitest";

import { endWithTest } from "#test/cleanup.ts";
import { freePort } from "#test/free-port.ts";
import { createServerProcess } from "./server-process.ts";

const waiting = /"event":"waiting-for-database"/g;

test("a server waiting for PostgreSQL logs one line, ends at once with code 0 on a signal, and serves once PostgreSQL runs", async () => {
  await using server = await createServerProcess({ database: "postgres" });
  const url = new URL(server.env["DATABASE_URL"]!);
  const [behind, port] = [Number(url.port), await freePort()];
  server.env["DATABASE_URL"] = Object.assign(url, { port }).href;
  async function untilWaiting(): Promise<void> {
    await expect.poll(() => server.output.errors, { timeout: 60_000 }).toMatch(waiting);
  }

  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const started = server.start().catch(() => "ended");
    await untilWaiting();
    server.signal(signal);
    expect(await server.exited(), signal).toMatchObject({ code: 0, signal: null });
    expect(await started).toBe("ended");
  }

  const started = server.start();
  await untilWaiting();
  // Starts the database: forwards its port to the real PostgreSQL.
  const forwarder = createServer((client) => {
    const postgres = connect(behind, "127.0.0.1");
    for (const socket of [client, postgres]) socket.on("error", () => client.destroy());
    client.pipe(postgres).pipe(client);
  }).listen(port, "127.0.0.1");
  endWithTest(async () => void forwarder.close());
  await started;
  expect((await server.createClient().get("/readyz")).status).toBe(200);
  expect(server.output.errors.match(waiting)).toHaveLength(1);
});

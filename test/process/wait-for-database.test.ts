import { connect, createServer } from "node:net";

import { describe, expect, test } from "vitest";

import { endWithTest } from "#test/cleanup.ts";
import { freePort } from "#test/free-port.ts";
import { createServerProcess, type ServerProcess } from "./server-process.ts";

const waiting = /"event":"waiting-for-database"/g;

describe.skipIf(!process.env["TEST_DATABASE_URL"])("start while PostgreSQL is not running", () => {
  /** Creates a server whose database is at a port on which no program listens yet. */
  async function createEarlyServer() {
    const server = await createServerProcess({ database: "postgres" });
    const url = new URL(server.env["DATABASE_URL"]!);
    const [behind, port] = [Number(url.port), await freePort()];
    server.env["DATABASE_URL"] = Object.assign(url, { port }).href;
    /** Starts the database: forwards its port to the real PostgreSQL. */
    function startDatabase(): void {
      const forwarder = createServer((client) => {
        const postgres = connect(behind, "127.0.0.1");
        for (const socket of [client, postgres]) socket.on("error", () => client.destroy());
        client.pipe(postgres).pipe(client);
      }).listen(port, "127.0.0.1");
      endWithTest(async () => void forwarder.close());
    }
    return { server, startDatabase };
  }

  async function untilWaiting(server: ServerProcess): Promise<void> {
    await expect.poll(() => server.output.errors).toMatch(waiting);
  }

  test("a server started while PostgreSQL is down logs one line, and serves as soon as PostgreSQL runs", async () => {
    const { server, startDatabase } = await createEarlyServer();
    await using _ended = server;
    const started = server.start();
    await untilWaiting(server);
    startDatabase();
    await started;
    expect((await server.createClient().get("/readyz")).status).toBe(200);
    expect(server.output.errors.match(waiting)).toHaveLength(1);
  });

  test.for(["SIGTERM", "SIGINT"] as const)(
    "%s ends a server that waits for PostgreSQL at once with exit code 0",
    async (signal) => {
      const { server } = await createEarlyServer();
      await using _ended = server;
      const started = server.start().catch(() => "ended");
      await untilWaiting(server);
      server.signal(signal);
      expect(await server.exited()).toMatchObject({ code: 0, signal: null });
      expect(await started).toBe("ended");
    },
  );

  test.for([
    ["database", (url: URL) => Object.assign(url, { pathname: "/nowhere" })],
    ["user", (url: URL) => Object.assign(url, { username: "nobody" })],
  ] as const)("the server start fails without waiting if the PostgreSQL %s does not exist", async ([, change]) => {
    await using server = await createServerProcess({ database: "postgres" });
    const { env } = server;
    env["DATABASE_URL"] = change(new URL(env["DATABASE_URL"]!)).href;
    await expect(server.start()).rejects.toThrow("(exit 1): DATABASE_URL: PostgreSQL cannot be used");
    expect(server.output.errors).not.toMatch(waiting);
  });
});

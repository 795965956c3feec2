import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { insertSession } from "#server/features/members/session-store.ts";
import { createCertificates } from "#test/certificates.ts";
import { createFakePushService, type FakePushService } from "#test/fake-push-service.ts";
import { tap } from "#test/process/load.ts";
import { createServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { databases, report } from "./report.ts";

const devices = 300;
const kills = 3;
/** Pushes that arrive between a start and the next kill. */
const perRound = 40;

test.for(databases)(
  "a server that is killed while it sends pushes sends the others after its restart (%s)",
  async (db) => {
    const service = await createFakePushService();
    const env = { NODE_ENV: "test", PUSH_ALLOW_PRIVATE: "1", PUSH_ALLOWED_HOSTS: "localhost" };
    await using server = await createServerProcess({ database: db, env });
    server.env["NODE_EXTRA_CA_CERTS"] = join(server.dataDir, "authority.pem");
    writeFileSync(server.env["NODE_EXTRA_CA_CERTS"], createCertificates().authority);
    await server.start();
    const [anna, ben] = await server.createMembers("anna", "ben");
    await subscribeDevices(server, service, (await ben!.get("/api/checkLoginStatus")).json.user.id);

    const arrived = () => new Set(service.received.map(({ browser }) => browser)).size;
    const began = performance.now();
    expect((await tap(anna!, "a-beer-for-all")).status).toBe(200);
    for (let kill = 1; kill <= kills; kill += 1) {
      await expect.poll(arrived, { timeout: 60_000, interval: 5 }).toBeGreaterThanOrEqual(kill * perRound);
      await server.kill();
      expect(arrived(), "the kill comes before the last push").toBeLessThan(devices);
      await server.start();
    }
    await expect.poll(arrived, { timeout: 120_000, interval: 100 }).toBe(devices);
    const seconds = Math.round((performance.now() - began) / 1000);
    const twice = service.received.length - devices;
    report("T114", { pushes: devices, kills, lost: devices - arrived(), twice, seconds }, "lost 0", db);
    await using database = server.openDatabase();
    const waiting = () => database.db.selectFrom("outbox").select("id").execute();
    await expect.poll(waiting, { timeout: 70_000, interval: 500 }).toEqual([]);
  },
);

/** Adds devices of a member with their sessions, because subscribing allows only ten. */
async function subscribeDevices(server: ServerProcess, service: FakePushService, userId: number): Promise<void> {
  await using database = server.openDatabase();
  const now = Date.now();
  const times = { created_at: now, last_seen_at: now, confirmed_at: now };
  await inTransaction(database.db, async (tx) => {
    for (let device = 0; device < devices; device += 1) {
      const id = `session of device ${device}`;
      await insertSession(tx, { id, user_id: userId, is_remembered: 1, user_agent: "", ...times });
      const { endpoint, keys } = service.subscription(`device ${device}`);
      await tx
        .insertInto("push_subscriptions")
        .values({ session_id: id, endpoint, ...keys, created_at: now })
        .execute();
    }
  });
}

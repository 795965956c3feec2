import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { hours } from "#server/time.ts";
import { endWithTest } from "#test/cleanup.ts";
import { createTestApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";
import { insertSession } from "./session-store.ts";

/**
 * Creates an app with a hosted realtime service, and records the requests about members that the
 * service receives.
 */
async function openWithService() {
  const told: string[] = [];
  const service = createServer(({ url = "" }, response) => {
    if (url.includes("/users/")) told.push(url.split("?")[0]!);
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  endWithTest(async () => void service.close());
  const { port } = service.address() as AddressInfo;
  return { told, app: await createTestApp({ REALTIME_URL: `pusher://key:secret@127.0.0.1:${port}/3` }) };
}

test("the session cleanup tells a hosted realtime service only about members with expired sessions", async () => {
  const { told, app } = await openWithService();
  for (const uname of ["anna", "ben"]) await app.createMember(uname);
  const [annas, bens] = await app.db.selectFrom("sessions").selectAll().orderBy("user_id").execute();
  await insertSession(app.db, { ...annas!, id: "her other device" });
  await app.db.updateTable("sessions").set({ is_remembered: 1 }).where("id", "=", bens!.id).execute();

  await jobs[0]!.run(app.context);
  app.clock.time += hours(3);
  await jobs[0]!.run(app.context);
  await jobs[0]!.run(app.context);
  await app.context.realtime.drain();
  expect(told).toEqual([`/apps/3/users/${annas!.user_id}/terminate_connections`]);
});

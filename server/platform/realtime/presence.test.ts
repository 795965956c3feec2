import { describe, expect, test } from "vitest";

import {
  anna,
  annasLaptop,
  ben,
  clara,
  createRealtimeTestServer,
  refusedWith,
  noDatabase,
} from "#test/realtime-test-server.ts";
import type { RealtimeClient } from "#test/realtime-test-server.ts";

const channel = "presence-stammtisch";
const timings = { presenceGrace: 40 };

describe("the presence channel", () => {
  test("a new subscriber of the presence channel gets a list with one entry per present member", async () => {
    const testServer = await createRealtimeTestServer();
    const [phone, laptop, b] = await testServer.connectAs(anna, annasLaptop, ben);
    expect((await phone.subscribe(channel, anna)).data).toEqual({
      presence: { ids: ["1"], hash: { 1: { name: "Anna", avatarId: "a1" } }, count: 1 },
    });
    await laptop.subscribe(channel, annasLaptop);
    expect((await b.subscribe(channel, ben)).data.presence).toMatchObject({ ids: ["1", "2"], count: 2 });
    expect(await phone.next("pusher_internal:member_added")).toEqual({
      event: "pusher_internal:member_added",
      channel,
      data: { user_id: "2", user_info: { name: "Ben", avatarId: null } },
    });
    expect(changesHeardBy(phone)).toEqual(["+2"]);
    await b.flush();
    expect(changesHeardBy(b)).toEqual([]);
  });

  test("a member is reported as absent some time after the member's last socket closed", async () => {
    const testServer = await createRealtimeTestServer({ timings });
    const [phone, laptop, b] = await testServer.connectAs(anna, annasLaptop, ben);
    await b.subscribe(channel, ben);
    await phone.subscribe(channel, anna);
    await laptop.subscribe(channel, annasLaptop);
    phone.socket.terminate();
    laptop.send("pusher:unsubscribe", { channel });
    expect((await b.next("pusher_internal:member_removed")).data).toEqual({ user_id: "1" });
    expect(changesHeardBy(b)).toEqual(["+1", "-1"]);
  });

  test("a member who reloads the page is not reported as absent", async () => {
    const testServer = await createRealtimeTestServer({ timings: { presenceGrace: 200 } });
    const [b] = await testServer.join(channel, ben);
    const [before] = await testServer.join(channel, anna);
    before.socket.terminate();
    await expect.poll(() => testServer.realtime.sizes().sockets).toBe(1);
    await testServer.join(channel, anna);
    const [c] = await testServer.join(channel, clara);
    c.socket.close();
    await b.next("pusher_internal:member_removed");
    expect(changesHeardBy(b)).toEqual(["+1", "+3", "-3"]);
  });

  test("a member who opens and closes several sockets at once is reported as present once", async () => {
    const testServer = await createRealtimeTestServer({ timings });
    const [b] = await testServer.join(channel, ben);
    const annas = await Promise.all(Array.from({ length: 10 }, () => testServer.connect({ as: anna })));
    await Promise.all(
      annas.map(async (caller, i) => {
        await caller.subscribe(channel, anna);
        if (i > 0) caller.socket.terminate();
      }),
    );
    await expect.poll(() => testServer.realtime.sizes().sockets).toBe(2);
    annas[0]?.socket.close();
    await b.next("pusher_internal:member_removed");
    expect(changesHeardBy(b)).toEqual(["+1", "-1"]);
  });

  test("a member who hides cannot join the presence channel, and is removed if already present", async () => {
    const testServer = await createRealtimeTestServer({ timings });
    const hidden = { ...ben, isShown: false };
    const [a, b] = await testServer.connectAs(anna, ben);
    const request = { socketId: b.id, channel };
    expect(refusedWith(() => testServer.realtime.authorizeChannel(request, hidden))).toBe(403);
    await a.subscribe(channel, anna);
    await b.subscribe(channel, ben);
    testServer.sessions.set(ben.sessionId, hidden);
    await testServer.realtime.accessChanged(noDatabase, { userId: ben.userId });
    expect((await b.next("pusher:subscription_error")).data).toMatchObject({ status: 403 });
    expect((await a.next("pusher_internal:member_removed")).data).toEqual({ user_id: "2" });
  });

  test("a present member's new name and picture are sent to other members as soon as they are saved", async () => {
    const testServer = await createRealtimeTestServer();
    const [a] = await testServer.join(channel, anna, ben);
    await a.next("pusher_internal:member_added");
    testServer.sessions.set(ben.sessionId, { ...ben, name: "Benno", avatarId: "b2" });
    await testServer.realtime.accessChanged(noDatabase, { userId: ben.userId });
    const renamed = { user_id: "2", user_info: { name: "Benno", avatarId: "b2" } };
    expect((await a.next("pusher_internal:member_added")).data).toEqual(renamed);
    await testServer.realtime.accessChanged(noDatabase, { userId: ben.userId });
    await a.flush();
    expect(changesHeardBy(a)).toEqual(["+2", "+2"]);
  });

  test("a subscription to the presence channel accepts a number as the member's id", async () => {
    const testServer = await createRealtimeTestServer();
    const { credentialsOfSession, signChannel } = await import("./signatures.ts");
    const caller = await testServer.connect({ as: anna });
    const channelData = '{"user_id":1}';
    const credentials = credentialsOfSession({ key: "stammtisch", secret: "a test secret" }, anna.sessionId);
    const auth = signChannel(credentials, caller.id, channel, channelData);
    caller.send("pusher:subscribe", { channel, auth, channel_data: channelData });
    expect((await caller.next("pusher_internal:subscription_succeeded")).data.presence.ids).toEqual(["1"]);
  });
});

/** Returns the changes that a client received: `+2` if member 2 joined, `-2` if member 2 left. */
function changesHeardBy({ messages }: RealtimeClient): string[] {
  return messages
    .filter(({ event }) => event.startsWith("pusher_internal:member_"))
    .map(({ event, data }) => `${event.endsWith("added") ? "+" : "-"}${data.user_id}`);
}

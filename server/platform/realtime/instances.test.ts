import { describe, expect, test, vi } from "vitest";

import { createConnectedBuses } from "#test/connected-buses.ts";
import { anna, annasLaptop, ben, clara, createRealtimeTestServer, noDatabase } from "#test/realtime-test-server.ts";
import type { RealtimeClient } from "#test/realtime-test-server.ts";
import type { BusMessage } from "./bus.ts";

const channel = "private-beercounter";
const timings = { presenceGrace: 20, rosterEvery: 20, rosterLost: 200, grantWait: 300 };

async function createTwoInstances(changes = {}) {
  const [left, right] = createConnectedBuses(2);
  const one = await createRealtimeTestServer({ bus: left!, timings, ...changes });
  const two = await createRealtimeTestServer({ bus: right!, timings, ...changes });
  return { one, two, bus: left!, right: right! };
}

describe("two instances", () => {
  test("an event published on one instance reaches the subscribers of another instance", async () => {
    const instances = await createTwoInstances();
    const a = await instances.one.connect({ as: anna });
    const b = await instances.two.connect({ as: ben });
    await a.subscribe(channel, anna);
    await b.subscribe(channel, ben);
    void instances.one.realtime.publish(noDatabase, "updated", channel, { version: 8 });
    for (const caller of [a, b]) expect((await caller.next("updated")).data).toEqual({ version: 8 });
  });

  test("an outdated event that arrives late from another instance is dropped", async () => {
    const instances = await createTwoInstances();
    const [a] = await instances.one.join(channel, anna);
    void instances.two.realtime.publish(noDatabase, "updated", channel, { version: 8 });
    void instances.one.realtime.publish(noDatabase, "updated", channel, { version: 9 });
    void instances.two.realtime.publish(noDatabase, "updated", channel, { version: 10 });
    void instances.one.realtime.publish(noDatabase, "updated", channel, { version: 10 });
    await expect.poll(() => a.messages.at(-1)?.data).toEqual({ version: 10 });
    expect((await a.flush()).filter(({ event }) => event === "updated").map(({ data }) => data.version)).toEqual([
      9, 10,
    ]);
  });

  test("an instance signs subscriptions for sockets of another instance, but not for another member's socket", async () => {
    const instances = await createTwoInstances();
    for (const as of [undefined, anna]) {
      const a = await instances.one.connect(as ? { as } : {});
      const answer = instances.two.realtime.authorizeChannel({ socketId: a.id, channel }, anna);
      a.send("pusher:subscribe", { channel, ...answer });
      await a.next("pusher_internal:subscription_succeeded");
      const foreign = instances.two.realtime.authorizeChannel({ socketId: a.id, channel: "presence-stammtisch" }, ben);
      a.send("pusher:subscribe", { channel: "presence-stammtisch", ...foreign });
      await a.next("pusher:subscription_error");
    }
  });

  test("a change of a member's access on one instance closes the member's sockets on another instance", async () => {
    const instances = await createTwoInstances();
    const a = await instances.one.connect({ as: anna });
    const laptop = await instances.one.connect({ as: annasLaptop });
    const renewed = { ...annasLaptop, sessionId: "renewed" };
    for (const { sessions } of [instances.one, instances.two]) {
      sessions.delete(anna.sessionId);
      sessions.delete(annasLaptop.sessionId);
      sessions.set(renewed.sessionId, renewed);
    }
    void instances.two.realtime.sessionRotated(noDatabase, annasLaptop.sessionId, renewed.sessionId);
    await instances.two.realtime.accessChanged(noDatabase, { userId: anna.userId });
    expect(await a.closed).toBe(4009);
    await laptop.flush();
  });

  test("two instances list each other's present members, and remove the members of a crashed instance", async () => {
    const instances = await createTwoInstances();
    const [a, b, again] = [
      await instances.one.connect({ as: anna }),
      await instances.two.connect({ as: ben }),
      await instances.one.connect({ as: ben }),
    ];
    await a.subscribe("presence-stammtisch", anna);
    await b.subscribe("presence-stammtisch", ben);
    await a.next("pusher_internal:member_added");
    await again.subscribe("presence-stammtisch", ben);
    again.socket.close();
    const c = await instances.one.connect({ as: clara });
    const { presence } = (await c.subscribe("presence-stammtisch", clara)).data;
    expect(presence.ids.toSorted()).toEqual(["1", "2", "3"]);
    for (const caller of [a, b]) expect((await caller.next("pusher_internal:member_added")).data.user_id).toBe("3");
    instances.right.cut();
    expect((await a.next("pusher_internal:member_removed")).data).toEqual({ user_id: "2" });
    instances.right.mend();
    expect((await a.next("pusher_internal:member_added")).data.user_id).toBe("2");
    await instances.two.realtime.close();
    expect((await a.next("pusher_internal:member_removed")).data).toEqual({ user_id: "2" });
    const added = a.messages.filter(
      ({ event, data }) => event === "pusher_internal:member_added" && data.user_id === "2",
    );
    expect(added).toHaveLength(2);
  });

  test("members who join and leave together are announced to other instances in few messages", async () => {
    const instances = await createTwoInstances({ timings: { ...timings, presenceEvery: 300, rosterEvery: 60_000 } });
    const sent: BusMessage[] = [];
    instances.bus.onMessage((message) => sent.push(message));
    const [a] = await instances.one.join("presence-stammtisch", anna);
    const guests = Array.from({ length: 40 }, (_, index) => ({ ...ben, userId: 100 + index, sessionId: `${index}` }));
    for (const guest of guests) instances.two.sessions.set(guest.sessionId, guest);
    const pages = await Promise.all(
      guests.map(async (guest) => (await instances.two.join("presence-stammtisch", guest))[0]),
    );
    await expect.poll(() => presentIn(a)).toBe(41);
    for (const page of pages.slice(0, 30)) page.socket.terminate();
    await expect.poll(() => presentIn(a)).toBe(11);
    expect(sent.length).toBeLessThan(20);
  });

  test("an instance that missed a member's leaving removes the member at the next list of all present members", async () => {
    const instances = await createTwoInstances({ timings: { ...timings, rosterLost: 60_000, rosterEvery: 60_000 } });
    const [a] = await instances.one.join("presence-stammtisch", anna);
    const [b] = await instances.two.join("presence-stammtisch", ben);
    await a.next("pusher_internal:member_added");
    instances.right.cut();
    b.socket.terminate();
    await expect.poll(() => instances.two.realtime.sizes().sockets).toBe(0);
    const [c] = await instances.two.join("presence-stammtisch", clara);
    await c.flush();
    expect(presentIn(a)).toBe(2);
    instances.right.mend();
    expect((await a.next("pusher_internal:member_added")).data.user_id).toBe("3");
    expect((await a.next("pusher_internal:member_removed")).data).toEqual({ user_id: "2" });
  });

  test("a member's new name reaches subscribers on another instance", async () => {
    const instances = await createTwoInstances({ timings: { ...timings, rosterEvery: 60_000 } });
    const [a, b] = [await instances.one.connect({ as: anna }), await instances.two.connect({ as: ben })];
    await a.subscribe("presence-stammtisch", anna);
    await b.subscribe("presence-stammtisch", ben);
    await a.next("pusher_internal:member_added");
    instances.two.sessions.set(ben.sessionId, { ...ben, name: "Benno" });
    await instances.one.realtime.accessChanged(noDatabase, { userId: ben.userId });
    const { data } = await a.next("pusher_internal:member_added");
    expect(data).toEqual({ user_id: "2", user_info: { name: "Benno", avatarId: null } });
  });

  test("an event for one member reaches that member on every instance", async () => {
    const instances = await createTwoInstances();
    const [here, there] = [await instances.one.connect({ as: anna }), await instances.two.connect({ as: annasLaptop })];
    const other = await instances.two.connect({ as: ben });
    for (const [caller, instance, access] of [
      [here, instances.one, anna],
      [there, instances.two, annasLaptop],
      [other, instances.two, ben],
    ] as const) {
      caller.send("pusher:signin", instance.realtime.authenticateUser(caller.id, access));
      await caller.next("pusher:signin_success");
      caller.send("pusher:subscribe", { channel: `#server-to-user-${access.userId}` });
      await caller.next("pusher_internal:subscription_succeeded");
    }
    void instances.one.realtime.publish(noDatabase, "toasted", "#server-to-user-1", { userId: 2 });
    for (const caller of [here, there]) expect((await caller.next("toasted")).data).toEqual({ userId: 2 });
    expect((await other.flush()).some(({ event }) => event === "toasted")).toBe(false);
  });

  test("an instance sends each channel's current state to its pages after messages from other instances were lost", async () => {
    let version = 7;
    const channels = [
      {
        name: channel,
        version: async () => version,
        resync: async () => ({ event: "updated", data: { version } }),
      },
    ];
    const instances = await createTwoInstances({ channels });
    const [b] = await instances.two.join(channel, ben);
    instances.right.cut();
    version = 8;
    void instances.one.realtime.publish(noDatabase, "updated", channel, { version });
    instances.one.sessions.delete(ben.sessionId);
    instances.right.mend();
    expect((await b.next("updated")).data).toEqual({ version: 8 });
    instances.right.mend();
    await b.flush();
    expect(b.messages.filter(({ event }) => event === "updated")).toHaveLength(1);
  });

  test("an instance that finds a newer counters version waits for another instance's event, which names the drinker", async () => {
    let version = 7;
    const resync = vi.fn(async () => ({ event: "updated", data: { version } }));
    const channels = [{ name: channel, version: async () => version, resync }];
    const instances = await createTwoInstances({
      channels,
      timings: { ...timings, sweepEvery: 20, messageWait: 1000 },
    });
    const [a] = await instances.one.join(channel, anna);
    version = 8;
    resync.mockClear();
    await expect.poll(() => resync).toHaveBeenCalled();
    void instances.two.realtime.publish(noDatabase, "updated", channel, { version, userName: "Anna" });
    expect((await a.next("updated")).data).toEqual({ version: 8, userName: "Anna" });
  });

  test("an instance sends a channel's new state after another instance crashed between storing and publishing the change", async () => {
    let version = 7;
    const resync = async () => ({ event: "updated", data: { version } });
    const channels = [{ name: channel, version: async () => version, resync }];
    const instances = await createTwoInstances({ channels, timings: { ...timings, sweepEvery: 20, messageWait: 20 } });
    const [a] = await instances.one.join(channel, anna);
    version = 8;
    await expect.poll(() => a.messages.at(-1)?.data).toEqual({ version: 8 });
  });
});

/** Returns the number of present members that a client knows, at most 100. */
function presentIn({ messages }: RealtimeClient): number {
  const present = new Set<string>();
  for (const { event, data } of messages) {
    if (event === "pusher_internal:subscription_succeeded") {
      present.clear();
      for (const id of data.presence.ids) present.add(id);
    } else if (event === "pusher_internal:member_added") present.add(data.user_id);
    else if (event === "pusher_internal:member_removed") present.delete(data.user_id);
  }
  return present.size;
}

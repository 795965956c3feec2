import { describe, expect, it, vi } from "vitest";

import { createConnectedBuses } from "#test/connected-buses.ts";
import { anna, annasLaptop, ben, clara, createRealtimeTestServer } from "#test/realtime-test-server.ts";

const channel = "private-beercounter";
const timings = { presenceGrace: 20, rosterEvery: 20, rosterLost: 200, grantWait: 300 };

async function openTwoHouses(changes = {}) {
  const [left, right] = createConnectedBuses(2);
  const one = await createRealtimeTestServer({ bus: left!, timings, ...changes });
  const two = await createRealtimeTestServer({ bus: right!, timings, ...changes });
  return {
    one,
    two,
    right: right!,
    [Symbol.asyncDispose]: async () => {
      await one[Symbol.asyncDispose]();
      await two[Symbol.asyncDispose]();
    },
  };
}

describe("two instances", () => {
  it("carry each other's events", async () => {
    await using houses = await openTwoHouses();
    const a = await houses.one.connect({ as: anna });
    const b = await houses.two.connect({ as: ben });
    await a.subscribe(channel, anna);
    await b.subscribe(channel, ben);
    houses.one.realtime.publish("updated", channel, { version: 8 });
    for (const caller of [a, b]) expect((await caller.next("updated")).data).toEqual({ version: 8 });
  });

  it("never let a channel go back when their events cross", async () => {
    await using houses = await openTwoHouses();
    const a = await houses.one.connect({ as: anna });
    await a.subscribe(channel, anna);
    houses.two.realtime.publish("updated", channel, { version: 8 });
    houses.one.realtime.publish("updated", channel, { version: 9 });
    houses.two.realtime.publish("updated", channel, { version: 10 });
    houses.one.realtime.publish("updated", channel, { version: 10 });
    await vi.waitFor(() => expect(a.messages.at(-1)?.data).toEqual({ version: 10 }));
    expect((await a.flush()).filter(({ event }) => event === "updated").map(({ data }) => data.version)).toEqual([
      9, 10,
    ]);
  });

  it("sign for each other's sockets, with the same care", async () => {
    await using houses = await openTwoHouses();
    await vi.waitFor(() =>
      expect(houses.two.realtime.authorizeChannel({ socketId: "1.1", channel }, anna)).toBe("unknown-socket"),
    );
    for (const as of [undefined, anna]) {
      const a = await houses.one.connect(as ? { as } : {});
      const answer = houses.two.realtime.authorizeChannel({ socketId: a.socketId, channel }, anna);
      a.send("pusher:subscribe", { channel, ...(answer as object) });
      await a.next("pusher_internal:subscription_succeeded");
      const foreign = houses.two.realtime.authorizeChannel(
        { socketId: a.socketId, channel: "presence-stammtisch" },
        ben,
      );
      a.send("pusher:subscribe", { channel: "presence-stammtisch", ...(foreign as object) });
      await a.next("pusher:subscription_error");
    }
  });

  it("end access on each other", async () => {
    await using houses = await openTwoHouses();
    const a = await houses.one.connect({ as: anna });
    const laptop = await houses.one.connect({ as: annasLaptop });
    const renewed = { ...annasLaptop, sessionId: "renewed" };
    for (const { sessions } of [houses.one, houses.two]) {
      sessions.delete(anna.sessionId);
      sessions.delete(annasLaptop.sessionId);
      sessions.set(renewed.sessionId, renewed);
    }
    houses.two.realtime.sessionRotated(annasLaptop.sessionId, renewed.sessionId);
    await houses.two.realtime.accessChanged({ userId: anna.userId });
    expect(await a.closed).toBe(4009);
    await laptop.flush();
  });

  it("know of each other who is here, also when one dies without a word", async () => {
    await using houses = await openTwoHouses();
    const [a, b, again] = [
      await houses.one.connect({ as: anna }),
      await houses.two.connect({ as: ben }),
      await houses.one.connect({ as: ben }),
    ];
    await a.subscribe("presence-stammtisch", anna);
    await b.subscribe("presence-stammtisch", ben);
    await a.next("pusher_internal:member_added");
    await again.subscribe("presence-stammtisch", ben);
    again.socket.close();
    const c = await houses.one.connect({ as: clara });
    const { presence } = (await c.subscribe("presence-stammtisch", clara)).data;
    expect(presence.ids.toSorted()).toEqual(["1", "2", "3"]);
    for (const caller of [a, b]) expect((await caller.next("pusher_internal:member_added")).data.user_id).toBe("3");
    houses.right.cut();
    expect((await a.next("pusher_internal:member_removed")).data).toEqual({ user_id: "2" });
    houses.right.mend();
    expect((await a.next("pusher_internal:member_added")).data.user_id).toBe("2");
    await houses.two.realtime.close();
    expect((await a.next("pusher_internal:member_removed")).data).toEqual({ user_id: "2" });
    const added = a.messages.filter(
      ({ event, data }) => event === "pusher_internal:member_added" && data.user_id === "2",
    );
    expect(added).toHaveLength(2);
  });

  it("tell each other of new names", async () => {
    await using houses = await openTwoHouses({ timings: { ...timings, rosterEvery: 60_000 } });
    const [a, b] = [await houses.one.connect({ as: anna }), await houses.two.connect({ as: ben })];
    await a.subscribe("presence-stammtisch", anna);
    await b.subscribe("presence-stammtisch", ben);
    await a.next("pusher_internal:member_added");
    houses.two.sessions.set(ben.sessionId, { ...ben, name: "Benno" });
    await houses.one.realtime.accessChanged({ userId: ben.userId });
    const { data } = await a.next("pusher_internal:member_added");
    expect(data).toEqual({ user_id: "2", user_info: { name: "Benno", avatarId: null } });
  });

  it("speak to one member wherever her or his pages are", async () => {
    await using houses = await openTwoHouses();
    const [here, there] = [await houses.one.connect({ as: anna }), await houses.two.connect({ as: annasLaptop })];
    const other = await houses.two.connect({ as: ben });
    for (const [caller, house, access] of [
      [here, houses.one, anna],
      [there, houses.two, annasLaptop],
      [other, houses.two, ben],
    ] as const) {
      caller.send("pusher:signin", house.realtime.authenticateUser(caller.socketId, access) as object);
      await caller.next("pusher:signin_success");
      caller.send("pusher:subscribe", { channel: `#server-to-user-${access.userId}` });
      await caller.next("pusher_internal:subscription_succeeded");
    }
    houses.one.realtime.publish("toasted", "#server-to-user-1", { userId: 2 });
    for (const caller of [here, there]) expect((await caller.next("toasted")).data).toEqual({ userId: 2 });
    expect((await other.flush()).some(({ event }) => event === "toasted")).toBe(false);
  });

  it("catch up after one could not hear the other", async () => {
    let version = 7;
    const channels = [
      {
        name: channel,
        version: async () => version,
        resync: async () => ({ event: "updated", data: { version } }),
      },
    ];
    await using houses = await openTwoHouses({ channels });
    const b = await houses.two.connect({ as: ben });
    await b.subscribe(channel, ben);
    houses.right.mend();
    houses.right.cut();
    version = 8;
    houses.one.realtime.publish("updated", channel, { version });
    houses.one.sessions.delete(ben.sessionId);
    houses.right.mend();
    expect((await b.next("updated")).data).toEqual({ version: 8 });
    houses.right.mend();
    await b.flush();
    expect(b.messages.filter(({ event }) => event === "updated")).toHaveLength(1);
  });
});

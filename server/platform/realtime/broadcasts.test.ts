import { describe, expect, it, vi } from "vitest";

import { anna, ben, openRealtimeHouse } from "#test/realtime-house.ts";

const channel = "private-beercounter";
const crowd = { maxSockets: 2_000, maxPerUser: 2_000, maxPerIp: 2_000 };

describe("broadcasts", () => {
  it("reach everybody in the order of the calls, without holding the caller", async () => {
    await using house = await openRealtimeHouse(crowd);
    const callers = await Promise.all(Array.from({ length: 600 }, () => house.open({ as: ben })));
    await Promise.all(callers.map((caller) => caller.join(channel, ben)));
    const before = callers.map(({ heard }) => heard.length);
    for (let version = 8; version < 13; version += 1) {
      house.realtime.publish("updated", channel, { version });
      house.realtime.publish("other", channel, { after: version });
    }
    expect(callers.map(({ heard }) => heard.length)).toEqual(before);
    await house.realtime.drain();
    await vi.waitFor(() => expect(callers.every(({ heard }) => heard.at(-1)?.data.after === 12)).toBe(true));
    for (const caller of callers) {
      const heard = caller.heard.slice(-10).map(({ data }) => data.version ?? data.after + 0.5);
      expect(heard).toEqual([8, 8.5, 9, 9.5, 10, 10.5, 11, 11.5, 12, 12.5]);
    }
  });

  it("stay bounded when there are more than can be sent, and the last one arrives", async () => {
    await using house = await openRealtimeHouse();
    const caller = await house.open({ as: ben });
    await caller.join(channel, ben);
    for (let version = 8; version < 2_008; version += 1) house.realtime.publish("updated", channel, { version });
    await vi.waitFor(() => expect(caller.heard.at(-1)?.data).toEqual({ version: 2_007 }));
    expect(caller.heard.filter(({ event }) => event === "updated").length).toBeLessThan(300);
  });

  it("cut the one who stopped reading, and the others don't notice", async () => {
    await using house = await openRealtimeHouse();
    const [slow, quick] = [await house.open({ as: anna }), await house.open({ as: ben })];
    await slow.join(channel, anna);
    await quick.join(channel, ben);
    slow.socket.pause();
    const filling = "x".repeat(100_000);
    let version = 8;
    while (house.realtime.sizes().users === 2 && version < 300) {
      house.realtime.publish("updated", channel, { version, filling });
      await quick.next("updated");
      version += 1;
    }
    expect(house.realtime.sizes()).toMatchObject({ sockets: 1, users: 1 });
    await quick.settle();
  });

  it("cut the one who takes nothing of a little that waits", async () => {
    await using house = await openRealtimeHouse({ timings: { beat: 20, stalledAfter: 150 } });
    const [slow, quick] = [await house.open({ as: anna }), await house.open({ as: ben })];
    await slow.join(channel, anna);
    slow.socket.pause();
    for (let version = 8; house.realtime.sizes().users === 2 && version < 300; version += 1) {
      house.realtime.publish("updated", channel, { version, filling: "x".repeat(100_000) });
      await quick.settle();
      if (version === 60) break;
    }
    await vi.waitFor(() => expect(house.realtime.sizes()).toMatchObject({ sockets: 1, users: 1 }), 3_000);
  });

  it("tell a newcomer the version that went out while theirs was being read", async () => {
    let answerNow: ((version: number) => void) | undefined;
    let isSlow = false;
    const version = () => (isSlow ? new Promise<number>((resolve) => (answerNow = resolve)) : Promise.resolve(7));
    await using house = await openRealtimeHouse({ channels: [{ name: channel, version }] });
    const caller = await house.open({ as: anna });
    isSlow = true;
    const joining = caller.join(channel, anna);
    await vi.waitFor(() => expect(answerNow).toBeDefined());
    house.realtime.publish("updated", channel, { version: 8 });
    answerNow?.(7);
    expect((await joining).data).toEqual({ version: 8 });
  });

  it("let people in without a version when it cannot be read", async () => {
    const version = () => Promise.reject(new Error("database is down"));
    await using house = await openRealtimeHouse({ channels: [{ name: channel, version }] });
    const caller = await house.open({ as: anna });
    expect((await caller.join(channel, anna)).data).toEqual({});
  });
});

describe("liveness", () => {
  it("pings every socket, also those that joined nothing, and drops who does not answer", async () => {
    await using house = await openRealtimeHouse({ timings: { beat: 10, pingEvery: 50, pongWithin: 100 } });
    const [alive, dead] = [await house.open(), await house.open({ as: anna })];
    const pinged = new Promise((resolve) => alive.socket.once("ping", resolve));
    dead.socket.pong = () => {};
    await pinged;
    await vi.waitFor(() => expect(house.realtime.sizes()).toMatchObject({ sockets: 1, users: 0 }), 3_000);
    await new Promise((resolve) => alive.socket.once("ping", resolve));
    await alive.settle();
  });

  it("lets nobody in while draining, and says goodbye with 4100 at the very end", async () => {
    const house = await openRealtimeHouse();
    const callers = [await house.open({ as: anna }), await house.open()];
    await callers[0]?.join(channel, anna);
    house.realtime.publish("updated", channel, { version: 8 });
    await house.realtime.drain();
    await callers[0]?.next("updated");
    expect(await house.refusal({ as: anna })).toBe(503);
    await callers[1]?.settle();
    house.realtime.publish("updated", channel, { version: 9 });
    await house[Symbol.asyncDispose]();
    expect(await Promise.all(callers.map(({ closed }) => closed))).toEqual([4100, 4100]);
    expect(callers[0]?.heard.at(-1)?.data).toEqual({ version: 9 });
    expect(house.realtime.sizes()).toEqual({ sockets: 0, users: 0, sessions: 0, channels: 0, held: 0 });
  });

  it("does not wait for those who never confirm", async () => {
    const house = await openRealtimeHouse({ timings: { closeWait: 50 } });
    const caller = await house.open({ as: anna });
    caller.socket.pause();
    await house.realtime.close();
    expect(house.realtime.sizes().held).toBe(0);
    await house[Symbol.asyncDispose]();
  });
});

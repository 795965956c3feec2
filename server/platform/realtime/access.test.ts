import { describe, expect, it, vi } from "vitest";

import { connectedBuses } from "#test/connected-buses.ts";
import { anna, annasLaptop, ben, clara, openRealtimeHouse } from "#test/realtime-house.ts";

const channel = "private-game-servers";

describe("when access changes", () => {
  it("logging out closes the sockets of that session with 4009, and of that session only", async () => {
    await using house = await openRealtimeHouse();
    const phones = [await house.open({ as: anna }), await house.open({ as: anna })];
    const laptop = await house.open({ as: annasLaptop });
    await phones[0]?.join("private-beercounter", anna);
    await laptop.join("private-beercounter", annasLaptop);
    house.sessions.delete(anna.sessionId);
    await house.realtime.accessChanged({ sessionIds: [anna.sessionId] });
    house.realtime.publish("updated", "private-beercounter", { version: 8 });
    expect(await Promise.all(phones.map(({ closed }) => closed))).toEqual([4009, 4009]);
    expect(phones[0]?.heard.some(({ event }) => event === "updated")).toBe(false);
    await laptop.next("updated");
  });

  it("a disabled member loses every socket", async () => {
    await using house = await openRealtimeHouse();
    const annas = [await house.open({ as: anna }), await house.open({ as: annasLaptop })];
    const bystander = await house.open({ as: ben });
    for (const { sessionId } of [anna, annasLaptop]) house.sessions.delete(sessionId);
    await house.realtime.accessChanged({ userId: anna.userId });
    expect(await Promise.all(annas.map(({ closed }) => closed))).toEqual([4009, 4009]);
    await bystander.settle();
  });

  it("a member who lost the permission loses the channel, keeps the socket, and may come back with the permission", async () => {
    await using house = await openRealtimeHouse();
    const caller = await house.open({ as: anna });
    await caller.join(channel, anna);
    await caller.join("private-beercounter", anna);
    house.sessions.set(anna.sessionId, { ...anna, permissions: [] });
    await house.realtime.accessChanged({ userId: anna.userId });
    expect(await caller.next("pusher:subscription_error")).toMatchObject({ channel, data: { status: 403 } });
    house.realtime.publish("updated", channel, {});
    house.realtime.publish("updated", "private-beercounter", { version: 8 });
    expect((await caller.next("updated")).channel).toBe("private-beercounter");
    expect((await caller.settle()).filter(({ event }) => event === "updated")).toHaveLength(1);
    house.sessions.set(anna.sessionId, anna);
    await house.realtime.accessChanged({ userId: anna.userId });
    await caller.join(channel, anna);
  });

  it("while a socket is being let in, the change counts for it", async () => {
    let isSlow = true;
    const sessions = new Map([[anna.sessionId, anna]]);
    await using house = await openRealtimeHouse({
      findAccess: async () => {
        const found = new Map(sessions);
        if (isSlow) await vi.waitFor(() => expect(isSlow).toBe(false));
        return found;
      },
    });
    const opening = house.open({ as: anna });
    await vi.waitFor(() => expect(house.realtime.sizes().held).toBe(1));
    sessions.set(anna.sessionId, { ...anna, permissions: [] });
    const changed = house.realtime.accessChanged({ userId: anna.userId });
    isSlow = false;
    await changed;
    const caller = await opening;
    const answer = house.realtime.authorizeChannel({ socketId: caller.socketId, channel }, anna);
    caller.say("pusher:subscribe", { channel, ...(answer as object) });
    await caller.next("pusher:subscription_error");
  });

  it("a session that goes on under a new hash keeps its sockets", async () => {
    await using house = await openRealtimeHouse();
    const caller = await house.open({ as: anna });
    await caller.join("private-beercounter", anna);
    const renewed = { ...anna, sessionId: "anna-phone-renewed" };
    house.sessions.delete(anna.sessionId);
    house.sessions.set(renewed.sessionId, renewed);
    house.realtime.sessionRotated(anna.sessionId, renewed.sessionId);
    await house.realtime.accessChanged({ userId: anna.userId });
    await caller.join(channel, renewed);
    expect(house.realtime.authorizeChannel({ socketId: caller.socketId, channel }, anna)).toBe("forbidden");
  });

  it("a session that simply expired is found by the sweep", async () => {
    await using house = await openRealtimeHouse({ timings: { accessSweepEvery: 20 } });
    const [a, b] = [await house.open({ as: anna }), await house.open({ as: ben })];
    house.sessions.delete(anna.sessionId);
    expect(await a.closed).toBe(4009);
    await b.settle();
  });

  it("nobody is closed because the database is down, and the question is asked again when it is back", async () => {
    await using house = await openRealtimeHouse({ timings: { beat: 20 } });
    const [a, b] = [await house.open({ as: anna }), await house.open({ as: ben })];
    house.isDatabaseDown = true;
    house.sessions.delete(anna.sessionId);
    await house.realtime.accessChanged({ sessionIds: [anna.sessionId] });
    await a.settle();
    expect(house.logged).toContain("access-unknown");
    house.isDatabaseDown = false;
    expect(await a.closed).toBe(4009);
    await b.settle();
  });

  it("another process that wrote to the database is noticed", async () => {
    const [bus] = connectedBuses(1);
    await using house = await openRealtimeHouse({ bus: bus! });
    const [a, c] = [await house.open({ as: anna }), await house.open({ as: clara })];
    await c.join(channel, clara);
    house.sessions.delete(anna.sessionId);
    house.sessions.set(clara.sessionId, { ...clara, permissions: [] });
    bus?.mend();
    expect(await a.closed).toBe(4009);
    await c.next("pusher:subscription_error");
  });
});

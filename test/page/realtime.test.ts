import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { beercounterUpdated } from "#contract/beercounter.ts";
import { toasted } from "#contract/presence.ts";
import { anna, ben, openRealtimeHouse } from "#test/realtime-house.ts";
import type { RealtimeHouse } from "#test/realtime-house.ts";

import { openLine, pauseBefore, pusherOptions } from "#web/platform/realtime-line.ts";
import type { LineOptions } from "#web/platform/realtime-line.ts";
import { connectRealtime, disconnectRealtime, subscribe, subscribePresence } from "#web/platform/realtime.ts";

const own = { key: "stammtisch", cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: false };
const prost = { counterVal: 3, userId: 2, userName: "Ben", avatarId: null, version: 8 };
const channel = "private-beercounter";

/** Just enough of a page: what it shows, where it is, and a token that stands for the session. */
const page = Object.assign(new EventTarget(), {
  visibilityState: "visible",
  cookie: "",
  token: anna.sessionId,
  querySelector: () => ({ content: page.token }),
});

function show(state: "visible" | "hidden"): void {
  page.visibilityState = state;
  page.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  page.visibilityState = "visible";
  page.token = anna.sessionId;
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", new EventTarget());
});

afterEach(() => vi.unstubAllGlobals());

async function openPage(): Promise<RealtimeHouse> {
  const house = await openRealtimeHouse();
  vi.stubGlobal("location", new URL(house.origin));
  return house;
}

describe("where the line goes", () => {
  const base = { protocol: "https:", hostname: "bier.example", port: "", origin: "https://bier.example" };
  it.each([
    ["the page's own host", own, base, { wsHost: "bier.example", wssPort: 443, forceTLS: true }],
    [
      "the page's own port",
      own,
      { ...base, protocol: "http:", port: "3000" },
      { wsHost: "bier.example", wsPort: 3000, wssPort: 3000, forceTLS: false },
    ],
    [
      "a hosted service",
      { ...own, wsHost: "ws-eu.pusher.com", forceTLS: true },
      { ...base, port: "3000" },
      { wsHost: "ws-eu.pusher.com", wsPort: 80, wssPort: 443, forceTLS: true },
    ],
    [
      "a service of one's own",
      { ...own, wsHost: "ws.example", wsPort: 6001, wssPort: 6002 },
      base,
      { wsPort: 6001, wssPort: 6002 },
    ],
  ])("%s", (_, address, where, expected) => {
    expect(pusherOptions(address, where)).toMatchObject({
      ...expected,
      cluster: "eu",
      enabledTransports: ["ws"],
    });
  });

  it("is tried again after 2 to 30 seconds, spread by half", () => {
    expect([0, 1, 2, 3, 4, 9].map((attempt) => pauseBefore(attempt, 0.5))).toEqual([2e3, 4e3, 8e3, 16e3, 30e3, 30e3]);
    expect([pauseBefore(0, 0), pauseBefore(9, 0.999)]).toEqual([1_000, expect.closeTo(45_000, -2)]);
  });
});

describe("a page of a member", () => {
  it("hears events, and hears after every reconnection that it may have missed some", async () => {
    await using house = await openPage();
    const onEvent = vi.fn();
    const onSubscribed = vi.fn();
    const end = subscribe(beercounterUpdated, { onEvent, onSubscribed });
    const onMembers = vi.fn();
    const endPresence = subscribePresence(onMembers);
    await connectRealtime({ config: own, renewToken: vi.fn(), onSignedOut: vi.fn(), onRefused: vi.fn() });
    await vi.waitFor(() => expect(onSubscribed).toHaveBeenCalledExactlyOnceWith(7));
    await vi.waitFor(() => expect(onMembers).toHaveBeenLastCalledWith([{ id: 1, name: "Anna", avatarId: "a1" }]));

    house.realtime.publish("updated", channel, { ...prost, counterVal: "three" });
    house.realtime.publish("updated", channel, { ...prost, version: 9 });
    await vi.waitFor(() => expect(onEvent).toHaveBeenCalledExactlyOnceWith({ ...prost, version: 9 }));

    await endSockets(house);
    await vi.waitFor(() => expect(onSubscribed).toHaveBeenCalledTimes(2), 5_000);
    expect(onSubscribed).toHaveBeenLastCalledWith(9);

    end();
    endPresence();
    await vi.waitFor(() => expect(house.realtime.sizes().channels).toBe(0));
    const second = subscribe(beercounterUpdated, { onEvent, onSubscribed });
    await vi.waitFor(() => expect(onSubscribed).toHaveBeenCalledTimes(3));
    second();
    disconnectRealtime();
    await vi.waitFor(() => expect(house.realtime.sizes().sockets).toBe(0));
  });

  it("signs in to hear what is meant for its member alone, also with a stale token and after a reconnection", async () => {
    await using house = await openPage();
    page.token = "stale";
    const onEvent = vi.fn();
    const end = subscribe(toasted, { onEvent, onSubscribed: vi.fn() });
    const renewToken = vi.fn(async () => void (page.token = anna.sessionId));
    await connectRealtime({ config: own, renewToken, onSignedOut: vi.fn(), onRefused: vi.fn() });
    const isIn = () => expect(house.realtime.sizes().channels).toBe(1);
    await vi.waitFor(isIn, 3_000);
    expect(house.asked).toEqual(["stale", anna.sessionId]);
    const toast = { userId: 2, userName: "Ben", avatarId: null };
    house.realtime.publish("toasted", "#server-to-user-2", { ...toast, userId: 1 });
    house.realtime.publish("toasted", "#server-to-user-1", toast);
    await vi.waitFor(() => expect(onEvent).toHaveBeenCalledExactlyOnceWith(toast));
    await endSockets(house);
    await vi.waitFor(isIn, 5_000);
    house.realtime.publish("toasted", "#server-to-user-1", toast);
    await vi.waitFor(() => expect(onEvent).toHaveBeenCalledTimes(2));
    end();
    disconnectRealtime();
  });

  it("is told when the session ended, and stays away then", async () => {
    await using house = await openPage();
    const onSignedOut = vi.fn();
    const line = await joined(house, { onSignedOut });
    house.sessions.delete(anna.sessionId);
    await house.realtime.accessChanged({ sessionIds: [anna.sessionId] });
    await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalledOnce());
    show("hidden");
    show("visible");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(house.realtime.sizes().held).toBe(0);
    line.close();
  });

  it("fetches a fresh token when the first one was refused", async () => {
    await using house = await openPage();
    page.token = "stale";
    const renewToken = vi.fn(async () => void (page.token = anna.sessionId));
    const line = await joined(house, { renewToken });
    expect(renewToken).toHaveBeenCalledOnce();
    expect(house.asked).toEqual(["stale", anna.sessionId]);
    line.close();
  });

  it("gives a channel up that is not open to it, and gets it back with the permission", async () => {
    await using house = await openPage();
    page.token = ben.sessionId;
    const game = "private-game-servers";
    const [onRefused, onMessage] = [vi.fn(), vi.fn()];
    const line = await joined(house, { onRefused, onMessage });
    line.join(game);
    await vi.waitFor(() => expect(onRefused).toHaveBeenCalledExactlyOnceWith(game));

    house.sessions.set(ben.sessionId, { ...ben, permissions: ["see-game-servers"] });
    await house.realtime.accessChanged({ userId: ben.userId });
    line.join(game);
    const joinedGame = () =>
      onMessage.mock.calls.filter(([name, event]) => name === game && event === "pusher:subscription_succeeded");
    await vi.waitFor(() => expect(joinedGame()).toHaveLength(1));

    house.sessions.set(ben.sessionId, ben);
    await house.realtime.accessChanged({ userId: ben.userId });
    await vi.waitFor(() => expect(onRefused).toHaveBeenCalledTimes(2));
    line.close();
  });

  it("leaves a healthy socket alone on waking up, and replaces one that does not answer", async () => {
    await using house = await openPage();
    const onMessage = vi.fn();
    const line = await joined(house, { onMessage, probeWithin: 100 });
    show("hidden");
    show("visible");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(onMessage).toHaveBeenCalledTimes(1);

    for (const connection of house.realtime.connections()) connection.webSocket.pause();
    show("hidden");
    show("visible");
    await vi.waitFor(() => expect(onMessage).toHaveBeenCalledTimes(2), 3_000);
    line.close();
  });

  it("comes back by itself while it is looked at, faster than pusher-js would", async () => {
    await using house = await openPage();
    const onOnline = vi.fn();
    const pause = vi.fn(() => 100);
    const line = await joined(house, { onOnline, pause });
    house.isRefusing = true;
    await endSockets(house);
    await vi.waitFor(() => expect(pause.mock.calls.length).toBeGreaterThan(4), 5_000);
    expect(onOnline).toHaveBeenLastCalledWith(false);
    house.isRefusing = false;
    await vi.waitFor(() => expect(onOnline).toHaveBeenLastCalledWith(true), 2_000);
    line.close();
  });
});

/** A line that joined the beer counter. */
async function joined(house: RealtimeHouse, changes: Partial<LineOptions>) {
  const onMessage = changes.onMessage ?? vi.fn();
  const nothing = { onOnline: vi.fn(), renewToken: vi.fn(async () => {}), onSignedOut: vi.fn(), onRefused: vi.fn() };
  const line = await openLine({ address: own, ...nothing, ...changes, onMessage });
  line.join(channel);
  await vi.waitFor(() =>
    expect(onMessage).toHaveBeenCalledWith(channel, "pusher:subscription_succeeded", { version: 7 }),
  );
  expect(house.realtime.sizes().channels).toBe(1);
  return line;
}

async function endSockets(house: RealtimeHouse): Promise<void> {
  for (const connection of house.realtime.connections()) connection.webSocket.terminate();
  await vi.waitFor(() => expect(house.realtime.sizes().sockets).toBe(0));
}

// A hosted service allows at most 100 members on a presence channel.
import type { AddressInfo } from "node:net";

import { beforeEach, expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";

import { beercounterUpdated } from "#contract/beercounter.ts";
import { endWithTest } from "#test/cleanup.ts";
import { createRealtime, type PresenceList, type Realtime } from "#web/client/realtime.ts";

const presence = "presence-stammtisch";
const counter = "private-beercounter";
const limitReached = { type: "LimitReached", error: "The limit was reached", status: 4100 };

interface HostedPage {
  send(event: string, data: object, channel?: string): void;
  /** In order. */
  readonly subscribed: readonly string[];
  readonly present: () => PresenceList | undefined;
  readonly onAccessChanged: () => void;
}

let page: HostedPage;

beforeEach(async () => {
  vi.stubGlobal(
    "document",
    Object.assign(new EventTarget(), { visibilityState: "visible", cookie: "", querySelector: () => null }),
  );
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("location", new URL("http://localhost"));
  vi.stubGlobal("fetch", async () => Response.json({ auth: "key:signature" }));
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  const sockets: WebSocket[] = [];
  const subscribed: string[] = [];
  const send: HostedPage["send"] = (event, data, channel) =>
    sockets.at(-1)!.send(JSON.stringify({ event, data: JSON.stringify(data), channel }));
  server.on("connection", (socket) => {
    sockets.push(socket);
    send("pusher:connection_established", { socket_id: `1.${sockets.length}` });
    socket.on("message", (text: Buffer) => {
      const { event, data } = JSON.parse(String(text));
      if (event === "pusher:subscribe") subscribed.push(data.channel);
    });
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const realtime = createRealtime();
  const onChange = vi.fn<Parameters<Realtime["subscribePresence"]>[0]>();
  realtime.subscribePresence(onChange);
  realtime.subscribe(beercounterUpdated, { onEvent() {}, onSubscribed() {} });
  const onAccessChanged = vi.fn();
  const address = { key: "key", cluster: "eu", wsHost: "127.0.0.1", wsPort: port, wssPort: port, forceTLS: false };
  realtime.connect(address, { renewToken: vi.fn(), onAccessChanged });
  endWithTest(async () => {
    realtime.disconnect();
    for (const socket of sockets) socket.terminate();
    await new Promise((resolve) => server.close(resolve));
  });
  page = { send, subscribed, present: () => onChange.mock.lastCall?.[0], onAccessChanged };
  await expect.poll(() => subscribed).toEqual([presence, counter]);
});

function confirm(count: number): void {
  const ids = Array.from({ length: count }, (_, index) => String(index + 1));
  const hash = Object.fromEntries(ids.map((id) => [id, { name: `Guest ${id}`, avatarId: null }]));
  page.send("pusher_internal:subscription_succeeded", { presence: { ids, hash, count } }, presence);
}

const countPages = (count: number) => page.send("pages-counted", { count }, counter);

test("a page that is told of fewer or more than 100 members knows their exact number", async () => {
  confirm(3);
  await expect.poll(page.present).toMatchObject({ count: 3, members: { length: 3 } });
  confirm(140);
  await expect.poll(page.present).toMatchObject({ count: 140, members: { length: 140 } });
  expect(page.present()).not.toHaveProperty("pages");
});

test("a page with exactly 100 listed members does not know how many there are, but the number of open pages", async () => {
  confirm(100);
  await expect.poll(page.present).toMatchObject({ count: 100, members: { length: 100 }, pages: null });
  countPages(134);
  await expect.poll(page.present).toMatchObject({ count: 100, members: { length: 100 }, pages: 134 });
  page.send("pusher_internal:member_removed", { user_id: "7" }, presence);
  await expect.poll(page.present).toMatchObject({ count: 99, members: { length: 99 } });
  expect(page.present()).not.toHaveProperty("pages");
});

test.each([
  ["soketi", () => page.send("pusher:subscription_error", limitReached, presence)],
  ["Sockudo", () => page.send("pusher:error", { code: 4100, message: "Over capacity" })],
])(
  "a page that is refused by the full presence channel of %s knows the number of open pages, and joins when there is room",
  async (_, refuse) => {
    refuse();
    await expect.poll(page.present).toEqual({ count: 0, members: [], pages: null });
    countPages(134);
    await expect.poll(page.present).toEqual({ count: 0, members: [], pages: 134 });
    countPages(100);
    await expect.poll(page.present).toEqual({ count: 0, members: [], pages: 100 });
    expect(page.subscribed).toEqual([presence, counter]);
    countPages(99);
    await expect.poll(() => page.subscribed).toEqual([presence, counter, presence]);
    confirm(98);
    await expect.poll(page.present).toMatchObject({ count: 98, members: { length: 98 } });
    expect(page.onAccessChanged).not.toHaveBeenCalled();
  },
);

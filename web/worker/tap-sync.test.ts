import { beforeEach, expect, test, vi } from "vitest";

import type { EntryChange, OutboxEntry } from "#web/data/outbox-storage.ts";
import { registerTapSync } from "./tap-sync.ts";

const waiting = vi.hoisted(() => new Map<string, OutboxEntry>());
vi.mock("#web/data/outbox-storage.ts", () => ({
  outboxSyncTag: "taps",
  openOutboxChannel: () => () => {},
  withEntryLock: (_key: string, work: () => Promise<void>) => work(),
  createOutboxStorage: () => ({
    list: async () => [...waiting.values()],
    update: async (key: string, change: EntryChange) => {
      const next = change(waiting.get(key)) ?? null;
      if (next === null) waiting.delete(key);
      else waiting.set(key, next);
      return next;
    },
  }),
}));

const member = {
  id: 7,
  uname: "anna",
  name: "Anna",
  email: "",
  permissions: [],
  avatarId: null,
  profile_picture: null,
};
const state = { isTried: false, isRecalled: false, isRefused: false, failures: 0 };
const server = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();
/** Fires the service worker's sync event, as the browser does once the network is back. */
let sync: () => Promise<void>;

beforeEach(() => {
  waiting.set("tapped-in-the-cellar", { key: "tapped-in-the-cellar", memberId: 7, postedAt: Date.now(), ...state });
  vi.stubGlobal("fetch", async (path: string, options: RequestInit) =>
    path === "/api/checkLoginStatus" ? Response.json({ isLoggedIn: true, user: member }) : server(path, options),
  );
  vi.stubGlobal("cookieStore", { get: async () => ({ value: "token" }) });
  vi.stubGlobal("self", {
    addEventListener: (_: string, listen: (event: object) => void) =>
      (sync = () =>
        new Promise((resolve, reject) => {
          listen({ tag: "taps", waitUntil: (work: Promise<void>) => work.then(resolve, reject) });
        })),
  });
  registerTapSync();
});

test("Background Sync keeps a tap and fails, so that the browser retries, if a proxy answers 404 while the server restarts", async () => {
  server.mockResolvedValueOnce(new Response("404 page not found", { status: 404 }));
  await expect(sync()).rejects.toThrow("The server answered 404.");
  expect([...waiting.keys()]).toEqual(["tapped-in-the-cellar"]);
});

test("Background Sync keeps a tap if a hotspot's login page answers, and sends it at the next attempt", async () => {
  server.mockResolvedValueOnce(new Response("<h1>WLAN</h1>"));
  await expect(sync()).rejects.toThrow("not valid JSON");
  expect([...waiting.keys()]).toEqual(["tapped-in-the-cellar"]);
  server.mockResolvedValueOnce(Response.json({ KSKCounterVal: 8, userCounterVal: 1 }));
  await sync();
  expect([...waiting.keys()]).toEqual([]);
});

import { beforeEach, expect, test, vi } from "vitest";

import type { OutboxEntry } from "#web/client/outbox-rules.ts";
import type { EntryChange } from "#web/client/outbox-storage.ts";
import { registerTapSync } from "./tap-sync.ts";

const waiting = vi.hoisted(() => new Map<string, OutboxEntry>());
const notify = vi.hoisted(() => vi.fn());
vi.mock("#web/client/outbox-storage.ts", () => ({
  outboxSyncTag: "parcels",
  openOutboxChannel: () => ({ notify, close() {} }),
  withBeerLock: (_beer: string, work: () => Promise<void>) => work(),
  createOutboxStorage: () => ({
    list: async () => [...waiting.values()],
    update: async (id: string, change: EntryChange) => {
      const next = change(waiting.get(id)) ?? null;
      if (next === null) waiting.delete(id);
      else waiting.set(id, next);
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
const counters = { KSKCounterVal: 8, userCounterVal: 1 };
const server = vi.fn<(path: string, options: RequestInit) => Promise<Response>>();
/** Fires `sync`, as the browser does once the network is back. */
let sync: () => Promise<void>;

beforeEach(() => {
  waiting.clear();
  server.mockReset().mockImplementation(async () => Response.json(counters));
  put("cellar");
  vi.stubGlobal("fetch", async (path: string, options: RequestInit) =>
    path === "/api/checkLoginStatus" ? Response.json({ isLoggedIn: true, user: member }) : server(path, options),
  );
  vi.stubGlobal("cookieStore", { get: async () => ({ value: "token" }) });
  vi.stubGlobal("self", {
    addEventListener: (_: string, listen: (event: object) => void) =>
      (sync = () =>
        new Promise((resolve, reject) => {
          listen({ tag: "parcels", waitUntil: (work: Promise<void>) => work.then(resolve, reject) });
        })),
  });
  registerTapSync();
});

function put(beer: string, entry: Partial<OutboxEntry> = {}): void {
  const { id = beer } = entry;
  const about = { beer, memberId: 7, postedAt: Date.now(), isRefused: false, failures: 0 };
  waiting.set(id, { id, endpoint: "drinkBeer", body: {}, ...about, ...entry });
}

const left = () => [...waiting.keys()];

test("Background Sync keeps a tap and fails, so that the browser retries, if a proxy answers 404 while the server restarts", async () => {
  server.mockResolvedValueOnce(new Response("404 page not found", { status: 404 }));
  await expect(sync()).rejects.toMatchObject({ status: 404 });
  expect(left()).toEqual(["cellar"]);
});

test("Background Sync keeps a tap if a hotspot's login page answers, and sends it at the next attempt", async () => {
  server.mockResolvedValueOnce(new Response("<h1>WLAN</h1>"));
  await expect(sync()).rejects.toMatchObject({ status: 0 });
  expect(left()).toEqual(["cellar"]);
  await sync();
  expect(left()).toEqual([]);
  expect(notify).toHaveBeenCalled();
});

test("Background Sync sends an undo after its beer, with the CSRF token and the idempotency key", async () => {
  waiting.clear();
  put("pub", { id: "undo pub", endpoint: "undoTap", params: { key: "pub" }, postedAt: 1 });
  put("pub", { postedAt: 2 });
  await sync();
  const sent = server.mock.calls.map(([path, { method }]) => `${method} ${path}`);
  expect(sent).toEqual(["POST /api/beercounter/counters", "DELETE /api/beercounter/taps/pub"]);
  expect(server.mock.calls[0]![1].headers).toMatchObject({ "X-XSRF-TOKEN": "token", "Idempotency-Key": "pub" });
  expect(left()).toEqual([]);
});

test("Background Sync fetches a new CSRF token if the server refuses the old one", async () => {
  server.mockResolvedValueOnce(new Response("", { status: 419 }));
  await sync();
  expect(server.mock.calls.map(([path]) => path)).toEqual([
    "/api/beercounter/counters",
    "/sanctum/csrf-cookie",
    "/api/beercounter/counters",
  ]);
  expect(left()).toEqual([]);
});

test("Background Sync leaves to a page what the server refuses, what was refused before, and another member's beers", async () => {
  put("refused before", { isRefused: true });
  put("of ben", { memberId: 8 });
  const before = new Map(waiting);
  server.mockResolvedValueOnce(new Response("{}", { status: 422 }));
  await sync();
  expect(waiting).toEqual(before);
  expect(server).toHaveBeenCalledOnce();
});

test("Background Sync sends a guest's tap with the token of the guest, whoever is logged in", async () => {
  waiting.clear();
  server.mockImplementation(async () => Response.json({ total: 1 }));
  put("garden", { endpoint: "drinkAsGuest", memberId: 0, token: "A token" });
  await sync();
  const [path, { headers }] = server.mock.calls[0]!;
  expect(path).toBe("/api/guest/beers");
  expect(headers).toMatchObject({ "Guest-Token": "A token", "Idempotency-Key": "garden" });
  expect(headers).not.toHaveProperty("Tapped-By");
  expect(left()).toEqual([]);
});

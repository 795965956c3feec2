import { beforeEach, expect, test, vi } from "vitest";

import { registerPush } from "./push.ts";

const prost = { title: "Stammtisch Beercounter", body: "Prost von Ben!", tag: "beercounter", silent: true };
const neutral = { title: "Neuigkeiten", body: "Schau mal wieder rein.", tag: "news", silent: true };

const showNotification = vi.fn<(title: string, options: { data: unknown }) => Promise<void>>(async () => {});
const openWindow = vi.fn(async () => null);
let fire: (name: string, event?: object) => Promise<void>;

beforeEach(() => {
  vi.clearAllMocks();
  const listeners = new Map<string, (event: object) => void>();
  vi.stubGlobal("self", {
    location: { origin: "https://stammtisch.example" },
    addEventListener: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
    registration: { showNotification },
    clients: { matchAll: async () => [], openWindow },
  });
  registerPush();
  fire = (name, event) =>
    new Promise((resolve, reject) => {
      const waitUntil = (work: Promise<void>): void => void work.then(resolve, reject);
      listeners.get(name)!({ ...event, waitUntil });
    });
});

async function push(data: string | null) {
  await fire("push", { data: data === null ? null : { json: () => JSON.parse(data) as unknown } });
  const [title, { data: kept, ...options }] = showNotification.mock.calls.at(-1)!;
  return { kept, notification: { title, ...options } };
}

test("a push is shown with its own text, and a click opens its page", async () => {
  const { notification, kept } = await push(JSON.stringify({ ...prost, url: "/game-servers" }));
  expect(notification).toMatchObject(prost);
  const close = vi.fn();
  await fire("notificationclick", { notification: { close, data: kept } });
  expect(close).toHaveBeenCalled();
  expect(openWindow).toHaveBeenCalledWith("/game-servers");
});

test.each([
  ["a push with a URL of another site", JSON.stringify({ ...prost, url: "https://evil.example/" })],
  ["a push with a protocol-relative URL", JSON.stringify({ ...prost, url: "//evil.example" })],
  ["a push with a script URL", JSON.stringify({ ...prost, url: "javascript:alert(1)" })],
  ["a push that is not JSON", "<html>"],
  ["an empty push", ""],
  ["a push without data", null],
  ["a push with a title of 5000 letters", JSON.stringify({ ...prost, title: "x".repeat(5000), url: "/beercounter" })],
])("the service worker shows a neutral notification for %s, and a click opens the start page", async (_, data) => {
  const { notification, kept } = await push(data);
  expect(notification).toMatchObject(neutral);
  await fire("notificationclick", { notification: { close: () => {}, data: kept } });
  expect(openWindow).toHaveBeenCalledWith("/beercounter");
});

test("a click on a notification with an address of another site opens the start page", async () => {
  await fire("notificationclick", { notification: { close: () => {}, data: { url: "https://evil.example/" } } });
  expect(openWindow).toHaveBeenCalledWith("/beercounter");
});

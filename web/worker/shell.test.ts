import { expect, test, vi } from "vitest";

import { registerShell } from "./shell.ts";

vi.hoisted(() => Object.assign(globalThis, { SHELL: { version: "1", page: "/page", files: [] } }));

const kept = new Response("the app");

async function openPage(answer: () => Promise<Response>): Promise<Response> {
  const listeners = new Map<string, (event: object) => void>();
  vi.stubGlobal("caches", { match: async () => kept });
  vi.stubGlobal("fetch", answer);
  vi.stubGlobal("self", {
    location: { origin: "https://stammtisch.example" },
    addEventListener: (name: string, listener: (event: object) => void) => void listeners.set(name, listener),
  });
  registerShell();
  const request = { url: "https://stammtisch.example/beercounter", method: "GET", mode: "navigate" };
  return new Promise((resolve, reject) => {
    listeners.get("fetch")!({ request, respondWith: (page: Promise<Response>) => page.then(resolve, reject) });
  });
}

test.each([404, 502, 503])(
  "the service worker opens the cached app if a proxy answers %i while the server restarts",
  async (status) => {
    expect(await openPage(async () => new Response("gone", { status }))).toBe(kept);
  },
);

test.each([200, 401, 421])("the service worker passes an answer with status %i on unchanged", async (status) => {
  const answer = new Response("", { status });
  expect(await openPage(async () => answer)).toBe(answer);
});

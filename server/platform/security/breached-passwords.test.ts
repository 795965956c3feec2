import { expect, test, vi } from "vitest";

import { isBreached } from "./breached-passwords.ts";

// The SHA-1 of "password" is 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8; this is all but its first
// five digits.
const rest = "1E4C9B93F3F0682250B6CF8331B7EE68FD8";

function stubService(answer: () => Response | Promise<Response>) {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => answer());
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

test("isBreached sends only five digits of a password's hash to the breach service", async () => {
  const fetch = stubService(() => new Response(`0018A45C4D1DEF81644B54AB7F969B88D65:3\r\n${rest}:9545824\r\n`));
  expect(await isBreached("password")).toBe(true);
  expect(JSON.stringify(fetch.mock.calls)).toContain("/range/5BAA6");
  expect(JSON.stringify(fetch.mock.calls)).not.toContain(rest);
});

test.each([
  ["does not know the password", () => new Response("0018A45C4D1DEF81644B54AB7F969B88D65:3")],
  ["lists the password only as padding", () => new Response(`${rest}:0\r\n`)],
  ["is overloaded", () => new Response(rest, { status: 503 })],
  ["cannot be reached", () => Promise.reject(new TypeError("fetch failed"))],
])("a password is accepted if the breach service %s", async (_, answer) => {
  stubService(answer);
  expect(await isBreached("password")).toBe(false);
});

import { expect, test, vi } from "vitest";

import { getDrinkers } from "#contract/beercounter.ts";
import { callConditionally } from "./conditional-call.ts";

test("an unchanged reply is not transferred again, and a changed reply replaces the previous one", async () => {
  const server = vi.fn<typeof fetch>();
  vi.stubGlobal("document", { cookie: "", querySelector: () => ({ content: "" }) });
  vi.stubGlobal("fetch", server);
  const conditions = () => server.mock.calls.map(([, init]) => new Headers(init?.headers).get("if-none-match"));
  const anna = { id: 1, name: "Anna", uname: "anna", profile_picture: null, beercounter_entries_count: 3 };

  server.mockResolvedValueOnce(Response.json({ users: [anna] }, { headers: { etag: '"a"' } }));
  expect(await callConditionally(getDrinkers, {})).toEqual({ users: [anna] });
  server.mockResolvedValueOnce(new Response(null, { status: 304 }));
  expect(await callConditionally(getDrinkers, {})).toEqual({ users: [anna] });
  server.mockResolvedValueOnce(Response.json({ users: [] }, { headers: { etag: '"b"' } }));
  expect(await callConditionally(getDrinkers, {})).toEqual({ users: [] });
  server.mockRejectedValueOnce(new TypeError("offline"));
  await expect(callConditionally(getDrinkers, {})).rejects.toMatchObject({ status: 0 });
  expect(conditions()).toEqual([null, '"a"', '"a"', '"b"']);
});

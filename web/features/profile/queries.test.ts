import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { queryClient } from "#web/data/query-client.ts";
import { deletePicture } from "./queries.ts";

const server = vi.fn<typeof fetch>();
const key = ["profile", "pictures"];

beforeEach(() => {
  server.mockReset();
  vi.stubGlobal("document", { cookie: "", querySelector: () => null });
  vi.stubGlobal("fetch", server);
  queryClient.setQueryData(key, [{ id: "one" }, { id: "two" }]);
});
afterEach(() => {
  queryClient.clear();
});

test("a deleted picture leaves the list at once", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Profilbild gelöscht." }));
  expect(await deletePicture("one", false)).toBe("Profilbild gelöscht.");
  expect(queryClient.getQueryData(key)).toEqual([{ id: "two" }]);
});

test("a picture already deleted in another tab leaves the list", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Nicht gefunden." }, { status: 404 }));
  expect(await deletePicture("one", false)).toBe("Dieses Profilbild war schon gelöscht.");
  expect(queryClient.getQueryData(key)).toEqual([{ id: "two" }]);
});

test("a picture stays in the list if its deletion fails", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Zu viele Anfragen." }, { status: 429 }));
  await expect(deletePicture("one", false)).rejects.toThrow("Zu viele Anfragen.");
  expect(queryClient.getQueryData(key)).toEqual([{ id: "one" }, { id: "two" }]);
});

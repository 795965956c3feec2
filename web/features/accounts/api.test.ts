import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { queryClient } from "#web/data/query-client.ts";
import { deletePicture } from "./api.ts";

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

test("deletePicture removes the picture from the cached list before the list is refetched", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Profilbild gelöscht." }));
  expect(await deletePicture("one", false)).toBe("Profilbild gelöscht.");
  expect(queryClient.getQueryData(key)).toEqual([{ id: "two" }]);
});

test("deletePicture removes a picture that another tab already deleted from the cached list", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Nicht gefunden." }, { status: 404 }));
  expect(await deletePicture("one", false)).toBe("Dieses Profilbild war schon gelöscht.");
  expect(queryClient.getQueryData(key)).toEqual([{ id: "two" }]);
});

test("deletePicture keeps the picture in the cached list if the server refuses", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Zu viele Anfragen." }, { status: 429 }));
  await expect(deletePicture("one", false)).rejects.toThrow("Zu viele Anfragen.");
  expect(queryClient.getQueryData(key)).toEqual([{ id: "one" }, { id: "two" }]);
});

import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";

import type { User } from "#contract/members.ts";
import { getPictures } from "#contract/profile.ts";
import { replyOptions } from "#web/client/queries.ts";
import { createStore } from "#web/client/store.ts";
import { deletePicture } from "./api.ts";

const server = vi.fn<typeof fetch>();
const { queryKey } = replyOptions(getPictures);
let client: Parameters<typeof deletePicture>[0];

beforeEach(() => {
  server.mockReset();
  vi.stubGlobal("document", { cookie: "", querySelector: () => null });
  vi.stubGlobal("fetch", server);
  client = { member: createStore<User | null>(null), queries: new QueryClient() };
  client.queries.setQueryData(queryKey, [{ id: "one" }, { id: "two" }]);
});

test("deletePicture removes the picture from the cached list before the list is refetched", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Profilbild gelöscht." }));
  expect(await deletePicture(client, "one", false)).toBe("Profilbild gelöscht.");
  expect(client.queries.getQueryData(queryKey)).toEqual([{ id: "two" }]);
});

test("deletePicture removes a picture that another tab already deleted from the cached list", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Nicht gefunden." }, { status: 404 }));
  expect(await deletePicture(client, "one", false)).toBe("Dieses Profilbild war schon gelöscht.");
  expect(client.queries.getQueryData(queryKey)).toEqual([{ id: "two" }]);
});

test("deletePicture keeps the picture in the cached list if the server refuses", async () => {
  server.mockResolvedValueOnce(Response.json({ message: "Zu viele Anfragen." }, { status: 429 }));
  await expect(deletePicture(client, "one", false)).rejects.toThrow("Zu viele Anfragen.");
  expect(client.queries.getQueryData(queryKey)).toEqual([{ id: "one" }, { id: "two" }]);
});

import { beforeEach, expect, test } from "vitest";

import { newestNews } from "#contract/news.ts";
import type { Client } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

let app: TestApp;
let ben: Client;
beforeEach(async () => {
  app = await createTestApp();
  ben = await app.createMember("ben");
});

const hasUnreadNews = async (client: Client) =>
  (await client.get("/api/checkLoginStatus")).json.user.has_unread_news === true;
const forgetNews = () => app.db.updateTable("users").set({ news_seen: 0 }).execute();

test("a new member has no unread news, but a member who has not seen the news of an update has", async () => {
  expect(await hasUnreadNews(ben)).toBe(false);
  await forgetNews();
  expect(await hasUnreadNews(ben)).toBe(true);
});

test("marking news as seen applies to all devices of the member and to no other member", async () => {
  const anna = await app.createMember("anna");
  await forgetNews();
  const socket = await connectPage(app, ben);
  expect((await ben.post("/api/user/news", { seen: newestNews })).status).toBe(204);
  await socket.next("member-changed");
  expect([await hasUnreadNews(ben), await hasUnreadNews(anna)]).toEqual([false, true]);
});

test("marking news as seen is refused for a news number that does not exist", async () => {
  for (const seen of [0, newestNews + 1, 1.5])
    expectErrors(await ben.post("/api/user/news", { seen }), { seen: [expect.any(String)] });
});

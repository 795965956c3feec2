import { beforeEach, describe, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import type { Client } from "#test/client.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { lockGroupTotal, updateGroupTotal } from "./store.ts";

const counters = "/api/beercounter/counters";
let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
});

/** Sets the totals of the group and of Anna to `beers`, as if all were drunk today. */
async function drinkAlready(beers: number): Promise<void> {
  await anna.post(counters);
  await inTransaction(app.db, async (tx) => updateGroupTotal(tx, { ...(await lockGroupTotal(tx)), total: beers }));
  await app.db.updateTable("beer_members").set({ total: beers, friday: beers }).execute();
  await app.db.updateTable("beer_member_days").set({ total: beers }).execute();
}

describe("large totals", { tags: "postgres" }, () => {
  test.each([2 ** 31 - 2, 2 ** 32 - 2, Number.MAX_SAFE_INTEGER - 4])(
    "the totals of the group and the member remain exact beyond %d beers",
    async (beers) => {
      await drinkAlready(beers);
      for (const more of [1, 2]) {
        const { json } = await anna.post(counters, undefined, { "idempotency-key": `tap-no-${more}` });
        expect(json).toEqual({ KSKCounterVal: beers + more, userCounterVal: beers + more });
      }
      const again = await anna.post(counters, undefined, { "idempotency-key": "tap-no-2" });
      expect(again.json).toEqual({ KSKCounterVal: beers + 2, userCounterVal: beers + 2 });
      const { users } = (await anna.get("/api/beercounter/stats/user")).json;
      expect(users[0].beercounter_entries_count).toBe(beers + 2);
      const { thisWeek, allWeeks } = (await anna.get("/api/beercounter/stats/timely")).json;
      expect([thisWeek[4], allWeeks[4]]).toEqual([beers + 2, beers + 2]);
    },
  );
});

test.each(["2147483647", "2147483648", "9999999999"])(
  "a request to undo a beer with the unknown id %s is answered with 404",
  { tags: "postgres" },
  async (id) => {
    const answer = await anna.delete(`/api/beercounter/beers/${id}`);
    expect(answer.status).toBe(404);
  },
);

test("the beers of more members than one query can name are recounted", { tags: "postgres" }, async () => {
  const { id: _, ...user } = await app.db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
  for (let from = 0; from < 5000; from += 500) {
    const users = Array.from({ length: 500 }, (_value, index) => {
      const uname = `member-${from + index}`;
      const email = `${uname}@stammtisch.example`;
      return { ...user, uname, uname_key: uname, name: uname, email, email_key: email };
    });
    const ids = await app.db.insertInto("users").values(users).returning("id").execute();
    const beer = { key: null, booked_at: null, kind: null, group_total: 0, own_total: 0, at: app.clock.time };
    await app.db
      .insertInto("beers")
      .values(ids.map(({ id }) => ({ ...beer, user_id: id })))
      .execute();
  }
  await (await app.reopen({ TIME_ZONE: "Asia/Kathmandu" })).close();
  expect((await anna.get("/api/beercounter/counters")).json.KSKCounterVal).toBe(5000);
});

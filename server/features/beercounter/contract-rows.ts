import { type ContractRows, members, prefixed } from "#test/contract-row.ts";
import { type TestApp } from "#test/test-app.ts";

export const contractRows = {
  "GET /api/beercounter/counters": { statuses: members(200, "GET"), fields: ["KSKCounterVal", "userCounterVal"] },
  "POST /api/beercounter/counters": { statuses: members(200), fields: ["KSKCounterVal", "userCounterVal"] },
  "GET /api/beercounter/beers": {
    statuses: members(200, "GET"),
    fields: prefixed("beers[].", ["id", "key", "at", "late", "kind", "removable_seconds"]),
  },
  "DELETE /api/beercounter/beers/:id": { statuses: members(404), path: "/api/beercounter/beers/4711", fields: [] },
  "DELETE /api/beercounter/taps/:key": {
    statuses: members(200),
    path: "/api/beercounter/taps/never-heard-of",
    fields: ["KSKCounterVal", "userCounterVal"],
  },
  "GET /api/beercounter/latest": {
    statuses: members(200, "GET"),
    fields: prefixed("beer.", ["userId", "userName", "at"]),
  },
  "GET /api/beercounter/stats/user": {
    statuses: members(200, "GET"),
    fields: prefixed("users[].", ["id", "name", "uname", "profile_picture", "beercounter_entries_count"]),
  },
  "GET /api/beercounter/stats/timely": { statuses: members(200, "GET"), fields: ["thisWeek[]", "allWeeks[]"] },
} satisfies ContractRows;

/** One beer of Carla, and two evenings of all members last year, a week apart. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select(["id", "uname"]).execute();
  const days = ["2025-06-06", "2025-06-14"].flatMap((day) => users.map(({ id }) => ({ day, user_id: id, total: 2 })));
  await db.insertInto("beer_member_days").values(days).execute();
  const user_id = users.find(({ uname }) => uname === "carla")!.id;
  const beer = { user_id, at: clock.now(), key: null, booked_at: null, group_total: 100, own_total: 100 };
  await db.insertInto("beers").values(beer).execute();
}

import type { ExampleCalls } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

export const exampleCalls = {
  "POST /api/beercounter/counters": { headers: { "idempotency-key": "example-tap" } },
  "DELETE /api/beercounter/beers/:id": { status: 404, path: "/api/beercounter/beers/4711" },
  "DELETE /api/beercounter/taps/:key": {
    path: "/api/beercounter/taps/never-heard-of",
  },
} satisfies ExampleCalls;

/**
 * Inserts one beer of Carla, which Ben booked, and beers of all members on two evenings of the previous year, in two
 * weeks.
 */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select(["id", "uname"]).execute();
  const days = ["2025-06-06", "2025-06-14"].flatMap((day) => users.map(({ id }) => ({ day, user_id: id, total: 2 })));
  await db.insertInto("beer_member_days").values(days).execute();
  const idOf = (name: string) => users.find(({ uname }) => uname === name)!.id;
  const totals = { group_total: 100, own_total: 100 };
  const beer = {
    user_id: idOf("carla"),
    by_user_id: idOf("ben"),
    at: clock.now(),
    key: null,
    booked_at: null,
    ...totals,
  };
  await db.insertInto("beers").values(beer).execute();
}

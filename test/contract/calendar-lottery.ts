import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import type { TestApp } from "#test/test-app.ts";

export const exampleCalls = {
  "POST /api/christmas-calendar/swaps": { status: 422, body: () => ({ date: "2026-12-24", member_id: 4711 }) },
  "POST /api/christmas-calendar/swaps/:id": {
    status: 403,
    path: "/api/christmas-calendar/swaps/999",
    body: () => ({ date: "2026-12-24" }),
  },
  "DELETE /api/christmas-calendar/swaps/:id": { status: 409, path: "/api/christmas-calendar/swaps/999" },
  "POST /api/admin/calendar/lottery": {
    body: () => ({ year: 2025 }),
  },
  "GET /api/admin/calendar/lottery": {
    path: "/api/admin/calendar/lottery?year=2026",
  },
  "POST /api/admin/calendar/lottery/preview": {
    body: () => ({ year: 2031 }),
  },
  "POST /api/admin/calendar/lottery/preview/:id": { status: 409, path: "/api/admin/calendar/lottery/preview/999" },
} satisfies ExampleCalls;

export const exportedFields = prefixed("calendar_swaps[].", ["date", "own"]);

/**
 * Inserts a calendar door for Ben and one for Carla, an offer from each of them to swap these
 * doors, and a lottery run of 2026.
 */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select(["id", "uname"]).execute();
  const idOf = (name: string): number => users.find(({ uname }) => uname === name)!.id;
  const offers = [
    { date: "2026-12-06", user_id: idOf("carla"), other: idOf("ben") },
    { date: "2026-12-07", user_id: idOf("ben"), other: idOf("carla") },
  ];
  await db
    .insertInto("calendar_assignments")
    .values(offers.map(({ date, user_id }) => ({ date, user_id })))
    .execute();
  await db
    .insertInto("calendar_swaps")
    .values(offers.map(({ date, user_id, other }) => ({ date, from_id: user_id, to_id: other, picture_id: null })))
    .execute();
  const inputs = JSON.stringify({ dates: ["2026-12-06"], members: [{ id: idOf("carla"), doors: 0, movable: [] }] });
  const dealing = { year: 2026, seed: "0".repeat(32), inputs, reason: null, dealt_at: clock.now() };
  await db.insertInto("calendar_dealings").values(dealing).execute();
}

import { admins, type ContractRows, members, prefixed } from "#test/contract-row.ts";
import { type TestApp } from "#test/test-app.ts";

const person = ["id", "name", "avatarId"];

export const contractRows = {
  "GET /api/christmas-calendar/own-doors": {
    statuses: members(200, "GET"),
    fields: [
      "today",
      "line",
      ...prefixed("doors[].", ["date", "picture", "text", "is_hidden", "can_restore"]),
      ...["offers[].id", "offers[].date", "own_offers[].id", "own_offers[].date"],
      ...prefixed("offers[].by.", person),
      ...prefixed("own_offers[].to.", person),
    ],
  },
  "POST /api/christmas-calendar/own-doors-seen": { statuses: members(204), fields: [] },
  "GET /api/christmas-calendar/swap-partners": {
    statuses: members(200, "GET"),
    fields: prefixed("[].", person),
  },
  "POST /api/christmas-calendar/swaps": {
    statuses: members(422),
    body: () => ({ date: "2026-12-24", member_id: 4711 }),
    fields: [],
  },
  "POST /api/christmas-calendar/swaps/:id": {
    statuses: members(403),
    path: "/api/christmas-calendar/swaps/999",
    body: () => ({ date: "2026-12-24" }),
    fields: [],
  },
  "DELETE /api/christmas-calendar/swaps/:id": {
    statuses: members(409),
    path: "/api/christmas-calendar/swaps/999",
    fields: [],
  },
  "POST /api/admin/calendar/lottery": {
    statuses: admins(200),
    body: () => ({ year: 2025 }),
    fields: ["message"],
  },
  "GET /api/admin/calendar/lottery": {
    statuses: admins(200, "GET"),
    path: "/api/admin/calendar/lottery?year=2026",
    fields: [...prefixed("dealings[].", ["at", "seed", "doors", "left"]), ...prefixed("without[].", person), "changes"],
  },
  "POST /api/admin/calendar/lottery/preview": {
    statuses: admins(200),
    body: () => ({ year: 2031 }),
    fields: [...["id", "doors[].date", "doors[].from"], ...prefixed("doors[].to.", person)],
  },
  "POST /api/admin/calendar/lottery/preview/:id": {
    statuses: admins(409),
    path: "/api/admin/calendar/lottery/preview/999",
    fields: [],
  },
} satisfies ContractRows;

export const exportedFields = prefixed("calendar_swaps[].", ["date", "own"]);

/** Ben and Carla have a door each and offer it to the other. A dealing of 2026. */
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

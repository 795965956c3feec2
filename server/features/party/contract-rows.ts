import { createBeer, createGuest } from "#server/features/party-guests/store.ts";
import { hours } from "#server/time.ts";
import { type ContractRows, members, prefixed } from "#test/contract-row.ts";
import type { TestApp } from "#test/test-app.ts";
import { createParty, createStay } from "./store.ts";

const party = ["id", "name", "starts_at", "ends_at", "is_running", "total"];
const ownPart = ["is_member", "is_home", "earlier", "own_total", "user_counter", "counters_version"];
const path = "/api/parties/1";

export const contractRows = {
  "GET /api/parties": {
    statuses: members(200, "GET"),
    fields: [...prefixed("parties[].", [...party, "member_count"]), "has_more"],
  },
  "GET /api/running-parties": {
    statuses: members(200, "GET"),
    fields: prefixed("parties[].", [
      ...party,
      ...ownPart,
      "others",
      ...prefixed("users[].", ["id", "name", "profile_picture"]),
    ]),
  },
  "GET /api/parties/:id": {
    statuses: members(200, "GET"),
    path,
    fields: [
      ...party,
      ...ownPart,
      ...["by", "is_manager", "is_starter_former", "others", "first_beer_at", "last_beer_at"],
      ...prefixed("users[].", ["id", "name", "uname", "profile_picture", "beercounter_entries_count", "is_home"]),
      ...prefixed("taps[].", ["id", "userId", "userName", "avatarId", "at", "kind"]),
      ...prefixed("hours[].", ["at", "total"]),
      ...prefixed("guests[].", ["id", "name", "by", "total", "can_count", "can_remove", "undo_keys[]"]),
      ...["guest_count", "recap"],
    ],
  },
  "POST /api/parties": { statuses: members(201), body: newParty, fields: ["id"] },
  // Ben has started it, and Hannes is an administrator.
  "POST /api/parties/:id": {
    statuses: [419, 401, 403, 403, 200, 200, 401, 401],
    path,
    body: () => ({ name: "Grillen" }),
    fields: ["message"],
  },
  "POST /api/parties/:id/members": { statuses: members(200), path: `${path}/members`, fields: ["message"] },
  "POST /api/parties/:id/home": { statuses: members(200), path: "/api/parties/2/home", fields: ["message"] },
  "DELETE /api/parties/:id/members": { statuses: members(200), path: "/api/parties/2/members", fields: ["message"] },
  "POST /api/parties/:id/end": {
    statuses: [419, 401, 403, 403, 422, 422, 401, 401],
    path: "/api/parties/3/end",
    fields: [],
  },
  "DELETE /api/parties/:id": { statuses: members(404), path: "/api/parties/4711", fields: [] },
} satisfies ContractRows;

/** The one before it goes, since only a few may run at once. */
async function newParty({ db }: TestApp): Promise<object> {
  await db.deleteFrom("parties").where("name", "=", "Neu").execute();
  return { name: "Neu" };
}

export const exportedFields = [
  ...prefixed("parties[].", ["name", "starts_at", "ends_at", "started", "joined", "stays[].from", "stays[].until"]),
  // Hannes renames the party of Ben.
  ...prefixed("audit[].", ["at", "action", "by_me", "about_me", "details.party"]),
];

/** Two that are running and one that is over. Everybody is there, Ben with a guest, and Carla has drunk a beer. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select(["id", "uname"]).execute();
  const created_by = users.find(({ uname }) => uname === "ben")!.id;
  const starts_at = clock.now() - hours(1);
  for (const [id, hoursLong] of [11, 11, 1].entries()) {
    const times = { starts_at, ends_at: starts_at + hours(hoursLong) };
    await createParty(db, { name: `Party ${id + 1}`, created_by, ...times });
    for (const user of users) await createStay(db, id + 1, user.id, 0);
  }
  const guest_id = await createGuest(db, { party_id: 1, name: "Mia", added_by: created_by });
  await createBeer(db, { guest_id, key: "first-beer", at: clock.now(), booked_at: clock.now() });
}

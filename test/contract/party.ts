import { createBeer, createGuest } from "#server/features/parties/guest-store.ts";
import { replacePhoto } from "#server/features/parties/photo-store.ts";
import { createParty, createStay } from "#server/features/parties/store.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { hours } from "#server/time.ts";
import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";
import type { TestApp } from "#test/test-app.ts";

const path = "/api/parties/1";

export const exampleCalls = {
  "GET /api/parties/:id": {
    path,
  },
  "POST /api/parties": { body: newParty },
  // Only Ben, who started the party, and Hannes, an administrator, may rename it.
  "POST /api/parties/:id": {
    statuses: [419, 401, 403, 403, 200, 200, 401, 401, 403, 403],
    path,
    body: () => ({ name: "Grillen" }),
  },
  "POST /api/parties/:id/members": { path: `${path}/members` },
  "POST /api/parties/:id/home": { path: "/api/parties/2/home" },
  "DELETE /api/parties/:id/members": { path: "/api/parties/2/members" },
  "POST /api/parties/:id/end": {
    statuses: [419, 401, 403, 403, 422, 422, 401, 401, 403, 403],
    path: "/api/parties/3/end",
  },
  "POST /api/parties/:id/story": { path: `${path}/story` },
  "DELETE /api/parties/:id": { status: 404, path: "/api/parties/4711" },
} satisfies ExampleCalls;

/**
 * Deletes the party that a previous example call started, because the number of running parties is
 * limited.
 */
async function newParty({ db }: TestApp): Promise<object> {
  await db.deleteFrom("parties").where("name", "=", "Neu").execute();
  return { name: "Neu" };
}

export const exportedFields = [
  ...prefixed("parties[].", ["name", "starts_at", "ends_at", "started", "joined", "stays[].from", "stays[].until"]),
  // The audit log records that Hannes renamed Ben's party.
  ...prefixed("audit[].", ["at", "action", "by_me", "about_me", "details.party"]),
];

/**
 * Inserts two running parties and a finished one, each with all members. Ben has a guest, who has
 * drunk a beer, and Noah has joined by QR code. David, who calls nothing, has put up a photo of
 * the finished party.
 */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select(["id", "uname"]).execute();
  const created_by = users.find(({ uname }) => uname === "ben")!.id;
  const starts_at = clock.now() - hours(1);
  for (const [id, hoursLong] of [11, 11, 1].entries()) {
    const times = { starts_at, ends_at: starts_at + hours(hoursLong) };
    const guest_secret = id === 0 ? fixtures.guestSecret : null;
    await createParty(db, { name: `Party ${id + 1}`, created_by, guest_secret, ...times });
    for (const user of users) await createStay(db, id + 1, user.id, 0);
  }
  const guest_id = await createGuest(db, { party_id: 1, name: "Mia", added_by: created_by });
  await createBeer(db, { guest_id, key: "first-beer", at: clock.now(), booked_at: clock.now() });
  const token_hash = sha256(fixtures.guestToken);
  await createGuest(db, { party_id: 1, name: "Noah", added_by: created_by, token_hash });
  const { partyPhotoId, png } = fixtures;
  const user_id = users.find(({ uname }) => uname === "david")!.id;
  const photo = { id: partyPhotoId, party_id: 3, user_id, screen: png, phone: png, created_at: clock.now() };
  await replacePhoto(db, photo);
}

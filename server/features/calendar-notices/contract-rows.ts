import { type ContractRows, members, prefixed } from "#test/contract-row.ts";
import type { TestApp } from "#test/test-app.ts";

export const contractRows = {
  "GET /api/christmas-calendar/notices": {
    statuses: members(200, "GET"),
    fields: prefixed("[].", ["id", "at", "text"]),
  },
  "DELETE /api/christmas-calendar/notices/:id": {
    statuses: members(204),
    // Of the first member.
    path: "/api/christmas-calendar/notices/1",
    fields: [],
  },
} satisfies ContractRows;

export const exportedFields = prefixed("calendar_notices[].", ["at", "text"]);

/** One notice for each member. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const users = await db.selectFrom("users").select("id").execute();
  const notice = { at: clock.now(), kind: "picture-viewed", date: "2026-12-05", moved_to: null } as const;
  await db
    .insertInto("calendar_notices")
    .values(users.map(({ id }) => ({ ...notice, user_id: id })))
    .execute();
}

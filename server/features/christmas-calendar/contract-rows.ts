import { type ContractRows, members, prefixed } from "#test/contract-row.ts";
import { fixtures } from "#test/fixtures.ts";
import { type TestApp } from "#test/test-app.ts";
import { boundary, multipartForm } from "#test/upload.ts";

const doorFields = ["date", "url", "by", "text", "opened", "members"];
const ownDoorFields = ["date", "picture", "text", "is_hidden", "can_restore"];

export const contractRows = {
  "GET /api/christmas-calendar/opened-images": {
    statuses: members(200, "GET"),
    path: "/api/christmas-calendar/opened-images?year=2025",
    fields: [
      ...prefixed("images[].", doorFields),
      ...["year", "years[]", "today"],
      ...prefixed("own_doors[].", ownDoorFields),
      ...prefixed("begun_doors[].", ownDoorFields),
      ...prefixed("notices[].", ["id", "at", "text"]),
    ],
  },
  "POST /api/christmas-calendar/open/:date": {
    statuses: members(200),
    path: `/api/christmas-calendar/open/${fixtures.calendarDate}`,
    fields: doorFields,
  },
  "POST /api/christmas-calendar/own-doors/:date": {
    statuses: members(403),
    path: "/api/christmas-calendar/own-doors/2025-12-02",
    body: () => multipartForm(fixtures.png, { field: "picture" }),
    type: `multipart/form-data; boundary=${boundary}`,
    fields: [],
  },
  "POST /api/christmas-calendar/own-doors/:date/details": {
    statuses: members(403),
    path: "/api/christmas-calendar/own-doors/2025-12-02/details",
    body: () => ({ is_hidden: true }),
    fields: [],
  },
  "POST /api/christmas-calendar/own-doors/:date/restore": {
    statuses: members(403),
    path: "/api/christmas-calendar/own-doors/2025-12-02/restore",
    fields: [],
  },
  "DELETE /api/christmas-calendar/own-doors/:date": {
    statuses: members(403),
    path: "/api/christmas-calendar/own-doors/2025-12-02",
    fields: [],
  },
  "GET /internal/images/calendar/:id": {
    statuses: members(200, "GET"),
    path: `/internal/images/calendar/${fixtures.calendarId}`,
    fields: [],
  },
  "GET /internal/audio/1": { statuses: members(200, "GET"), fields: [] },
} satisfies ContractRows;

/** One open calendar door, and one that Ben has to fill. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const { calendarId: id, calendarDate: date, png } = fixtures;
  await db.insertInto("calendar_pictures").values({ date, id, screen: png, phone: png }).execute();
  const users = await db.selectFrom("users").select(["id", "uname"]).execute();
  const openings = users.map((user) => ({ user_id: user.id, date, opened_at: clock.now() }));
  await db.insertInto("calendar_openings").values(openings).execute();
  const ben = users.find(({ uname }) => uname === "ben")!.id;
  const filled = [date, "2026-12-05"].map((day) => ({ date: day, user_id: ben, text: "Prost" }));
  await db.insertInto("calendar_assignments").values(filled).execute();
}

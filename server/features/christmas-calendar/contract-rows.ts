import { type ContractRows, members } from "#test/contract-row.ts";
import { fixtures } from "#test/fixtures.ts";
import { type TestApp } from "#test/test-app.ts";

export const contractRows = {
  "GET /api/christmas-calendar/opened-images": {
    statuses: members(200, "GET"),
    path: "/api/christmas-calendar/opened-images?year=2025",
    fields: ["images[].date", "images[].url", "year", "years[]", "today"],
  },
  "POST /api/christmas-calendar/open/:date": {
    statuses: members(200),
    path: `/api/christmas-calendar/open/${fixtures.calendarDate}`,
    fields: ["url"],
  },
  "GET /internal/images/calendar/:id": {
    statuses: members(200, "GET"),
    path: `/internal/images/calendar/${fixtures.calendarId}`,
    fields: [],
  },
  "GET /internal/audio/1": { statuses: members(200, "GET"), fields: [] },
} satisfies ContractRows;

/** One open calendar door. */
export async function createContractFixtures({ db, clock }: TestApp): Promise<void> {
  const { calendarId: id, calendarDate: date, png } = fixtures;
  await db.insertInto("calendar_pictures").values({ date, id, screen: png, phone: png }).execute();
  const users = await db.selectFrom("users").select("id").execute();
  const openings = users.map((user) => ({ user_id: user.id, date, opened_at: clock.now() }));
  await db.insertInto("calendar_openings").values(openings).execute();
}

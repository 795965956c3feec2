import type { ExampleCalls } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";
import type { TestApp } from "#test/test-app.ts";
import { boundary, multipartForm } from "#test/upload.ts";

export const exampleCalls = {
  "GET /api/christmas-calendar/opened-images": {
    path: "/api/christmas-calendar/opened-images?year=2025",
  },
  "POST /api/christmas-calendar/open/:date": {
    path: `/api/christmas-calendar/open/${fixtures.calendarDate}`,
  },
  "POST /api/christmas-calendar/own-doors/:date": {
    status: 403,
    path: "/api/christmas-calendar/own-doors/2025-12-02",
    body: () => multipartForm(fixtures.png, { field: "picture" }),
    type: `multipart/form-data; boundary=${boundary}`,
  },
  "POST /api/christmas-calendar/own-doors/:date/details": {
    status: 403,
    path: "/api/christmas-calendar/own-doors/2025-12-02/details",
    body: () => ({ is_hidden: true }),
  },
  "POST /api/christmas-calendar/own-doors/:date/restore": {
    status: 403,
    path: "/api/christmas-calendar/own-doors/2025-12-02/restore",
  },
  "DELETE /api/christmas-calendar/own-doors/:date": {
    status: 403,
    path: "/api/christmas-calendar/own-doors/2025-12-02",
  },
  "GET /internal/images/calendar/:id": {
    path: `/internal/images/calendar/${fixtures.calendarId}`,
  },
} satisfies ExampleCalls;

/** Inserts a calendar door that every member has opened, and another that Ben must fill. */
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

import type { Db } from "#server/db/connect.ts";
import { doorVersion } from "#server/features/calendar/admin-rules.ts";
import { lockDoor } from "#server/features/calendar/admin-store.ts";
import type { ExampleCalls } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";
import { boundary, multipartForm } from "#test/upload.ts";

/** Returns the version of the calendar door that the fixtures contain. */
async function findVersion(db: Db): Promise<{ version: string }> {
  return { version: doorVersion(await lockDoor(db, fixtures.calendarDate)) };
}

export const exampleCalls = {
  "GET /api/admin/calendar": {
    path: "/api/admin/calendar?year=2025",
  },
  "POST /api/admin/calendar/surprise": { body: () => ({ is_surprised: false }) },
  "DELETE /api/admin/calendar/doors/:date": { status: 404, path: "/api/admin/calendar/doors/2031-12-24" },
  "GET /internal/images/calendar-preview/:id": {
    path: `/internal/images/calendar-preview/${fixtures.calendarId}`,
  },
  "POST /api/admin/calendar/pictures/:date": {
    path: "/api/admin/calendar/pictures/2031-12-02",
    body: () => multipartForm(fixtures.png, { field: "picture" }),
    type: `multipart/form-data; boundary=${boundary}`,
  },
  "POST /api/admin/calendar/pictures/:date/move": {
    path: `/api/admin/calendar/pictures/${fixtures.calendarDate}/move`,
    body: () => ({ to: fixtures.calendarDate }),
  },
  "POST /api/admin/calendar/pictures/:date/restore": {
    status: 409,
    path: "/api/admin/calendar/pictures/2031-12-24/restore",
  },
  "POST /api/admin/calendar/pictures/:date/reveal": {
    path: `/api/admin/calendar/pictures/${fixtures.calendarDate}/reveal`,
    body: ({ db }) => findVersion(db),
  },
  "DELETE /api/admin/calendar/pictures/:date": { status: 404, path: "/api/admin/calendar/pictures/2031-12-24" },
} satisfies ExampleCalls;

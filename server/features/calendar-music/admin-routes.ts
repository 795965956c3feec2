import * as contract from "#contract/calendar-music.ts";
import { announceManagedCalendar } from "#server/features/calendar-notices/actions.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { removeAudio, setAudio } from "./actions.ts";

export function addAdminRoutes(context: Context): void {
  const { http, db, clock } = context;
  handle(http, contract.setCalendarAudio, async ({ member, receiveUpload }) => {
    await receiveUpload(async (readForm) => setAudio(db, (await readForm()).file, { by: member.id, at: clock.now() }));
    announceManagedCalendar(context);
  });
  handle(http, contract.deleteCalendarAudio, async ({ member }) => {
    await removeAudio(db, { by: member.id, at: clock.now() });
    announceManagedCalendar(context);
  });
}

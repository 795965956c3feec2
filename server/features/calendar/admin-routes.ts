import * as contract from "#contract/calendar-doors.ts";
import type { Change } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Member } from "#server/platform/http/member.ts";
import { sendPicture } from "#server/platform/http/ranges.ts";
import { findManagedCalendar, receivePicture } from "./actions.ts";
import * as actions from "./admin-actions.ts";
import * as store from "./admin-store.ts";
import { previewUrl } from "./rules.ts";

export function addAdminRoutes(context: Context): void {
  const { http, clock, db } = context;
  const changeBy = (member: Member): Change => ({ by: member.id, at: clock.now() });

  handle(http, contract.getManagedCalendar, async ({ member, query: { year } }) => {
    const isSurprised = await store.findIsSurprised(db, member.id);
    return findManagedCalendar(context, year === undefined ? null : Number(year), isSurprised, (shown) =>
      actions.findDayDetails(context, member, shown, isSurprised),
    );
  });
  handle(http, contract.saveCalendarSurprise, ({ member, body }) =>
    actions.saveSurprise(context, member.id, body.is_surprised),
  );
  handle(http, contract.getCalendarPreview, async ({ member, params, request, reply }) =>
    sendPicture(request, reply, await actions.findPreview(context, member, params.id), "bild.webp"),
  );
  handle(http, contract.takeCalendarDoorBack, ({ member, params, query }) =>
    actions.takeDoorBack(context, params.date, query, changeBy(member)),
  );
  handle(http, contract.setCalendarPicture, async ({ member, params: { date }, query, receiveUpload }) => {
    const { picture } = await receivePicture(receiveUpload);
    const id = await actions.hangPicture(context, date, picture, query, changeBy(member));
    return { date, preview: previewUrl(id) };
  });
  handle(http, contract.moveCalendarPicture, ({ member, params, body }) =>
    actions.movePicture(context, params.date, body, changeBy(member)),
  );
  handle(http, contract.deleteCalendarPicture, ({ member, params, query }) =>
    actions.takePictureDown(context, params.date, query, changeBy(member)),
  );
  handle(http, contract.restoreCalendarPicture, ({ member, params }) =>
    actions.restorePicture(context, params.date, changeBy(member)),
  );
  handle(http, contract.revealCalendarPicture, ({ member, params, body }) =>
    actions.revealPicture(context, member, params.date, body),
  );
}

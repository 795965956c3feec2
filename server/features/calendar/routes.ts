import * as contract from "#contract/christmas-calendar.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendPicture } from "#server/platform/http/ranges.ts";
import * as actions from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.getOpenedImages, ({ member, query: { year } }) =>
    actions.findOpenedImages(context, member.id, year === undefined ? null : Number(year)),
  );

  handle(http, contract.openDoor, ({ member, params }) => actions.openDoor(context, member.id, params.date));

  handle(http, contract.fillOwnDoor, ({ member, params, receiveUpload }) =>
    actions.fillOwnDoor(context, member, params.date, receiveUpload),
  );
  handle(http, contract.changeOwnDoor, ({ member, params, body }) =>
    actions.changeOwnDoorDetails(context, member, params.date, body),
  );
  handle(http, contract.restoreOwnDoor, ({ member, params }) => actions.restoreOwnDoor(context, member, params.date));
  handle(http, contract.emptyOwnDoor, ({ member, params }) => actions.emptyOwnDoor(context, member, params.date));

  handle(http, contract.getCalendarPicture, async ({ params: { id }, query, member, request, reply }) => {
    const file = await actions.findPicture(context, id, member.id, query.size ?? "screen");
    return sendPicture(request, reply, file, "bild.webp");
  });
}

import * as contract from "#contract/christmas-calendar.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendFile, sendPicture } from "#server/platform/http/ranges.ts";
import * as actions from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http, db } = context;
  const findMusic = actions.createAudioSource(db);

  handle(http, contract.getOpenedImages, ({ member, query: { year } }) =>
    actions.findOpenedImages(context, member.id, year === undefined ? null : Number(year)),
  );

  handle(http, contract.openDoor, ({ member, params }) => actions.openDoor(context, member.id, params.date));

  handle(http, contract.fillOwnDoor, ({ member, params, request }) =>
    actions.fillOwnDoor(context, member, params.date, request),
  );
  handle(http, contract.emptyOwnDoor, ({ member, params }) => actions.emptyOwnDoor(context, member, params.date));

  handle(http, contract.getCalendarPicture, async ({ params: { id }, query, member, request, reply }) => {
    const file = await actions.findPicture(context, id, member.id, query.size ?? "screen");
    return sendPicture(request, reply, file, "bild.webp");
  });

  handle(http, contract.getCalendarAudio, async ({ request, reply }) => {
    const music = await findMusic();
    reply.header("cache-control", "private, max-age=3600").type(music.media);
    return sendFile(request, reply, music);
  });
}

import * as contract from "#contract/calendar-music.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { removeAudio, setAudio } from "./actions.ts";

export function addAdminRoutes(context: Context): void {
  const { http, clock } = context;
  handle(http, contract.setCalendarAudio, async ({ member, receiveUpload }) => {
    await receiveUpload(async (readForm) =>
      setAudio(context, await (await readForm()).read(), { by: member.id, at: clock.now() }),
    );
  });
  handle(http, contract.deleteCalendarAudio, async ({ member }) => {
    await removeAudio(context, { by: member.id, at: clock.now() });
  });
}

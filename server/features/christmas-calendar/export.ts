import type { AccountExport } from "#server/platform/context.ts";
import { localDay } from "#server/platform/local-day.ts";
import { toIso } from "#server/time.ts";
import { pictureUrl } from "./rules.ts";
import { listOwnAssignments, listOwnOpenings } from "./store.ts";

export const accountExport: AccountExport = async ({ db, clock, config }, { id }) => {
  const openings = await listOwnOpenings(db, id, localDay(clock.now(), config.timeZone));
  const filled = await listOwnAssignments(db, id);
  return {
    calendar_doors_opened: openings.map(({ date, opened_at }) => ({ date, opened_at: toIso(opened_at) })),
    calendar_doors_filled: filled.map(({ date, id: picture, text, is_hidden }) => ({
      date,
      picture: picture === null ? null : new URL(pictureUrl(picture), config.appUrl).href,
      text,
      is_hidden: is_hidden === 1,
    })),
  };
};

import type { AccountExport } from "#server/platform/context.ts";
import { localDay } from "#server/platform/local-day.ts";
import { toIso } from "#server/time.ts";
import * as lotteryStore from "./lottery-store.ts";
import { listNotices } from "./notice-actions.ts";
import * as removalStore from "./removal-store.ts";
import { pictureUrl } from "./rules.ts";
import * as store from "./store.ts";

/** Omits the other member of swap offers, which is not this member's data. */
export const accountExport: AccountExport = async ({ db, clock, config }, { id }) => {
  const openings = await store.listOwnOpenings(db, id, localDay(clock.now(), config.timeZone));
  const filled = await store.listOwnAssignments(db, id);
  const removals = await removalStore.listOwnRemoved(db, id);
  return {
    calendar_doors_opened: openings.map(({ date, opened_at }) => ({ date, opened_at: toIso(opened_at) })),
    calendar_doors_filled: filled.map(({ date, id: picture, text, is_hidden }) => ({
      date,
      picture: picture === null ? null : new URL(pictureUrl(picture), config.appUrl).href,
      text,
      is_hidden: is_hidden === 1,
    })),
    calendar_swaps: (await lotteryStore.listSwapsOf(db, id)).map(({ date, from_id }) => ({
      date,
      own: from_id === id,
    })),
    calendar_notices: (await listNotices(db, id)).map(({ at, text }) => ({ at, text })),
    calendar_pictures_removed: removals.map(({ removed_at, ...removed }) => ({
      ...removed,
      removed_at: toIso(removed_at),
    })),
  };
};

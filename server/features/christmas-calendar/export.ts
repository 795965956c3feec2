import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnOpenings } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const openings = await listOwnOpenings(db, id);
  return { calendar_doors_opened: openings.map(({ date, opened_at }) => ({ date, opened_at: toIso(opened_at) })) };
};

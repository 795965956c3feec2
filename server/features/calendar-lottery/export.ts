import type { AccountExport } from "#server/platform/context.ts";
import { listSwapsOf } from "./store.ts";

/**
 * Exports the member's swap offers without the other member's identity, which is not this member's
 * data.
 */
export const accountExport: AccountExport = async ({ db }, { id }) => ({
  calendar_swaps: (await listSwapsOf(db, id)).map(({ date, from_id }) => ({ date, own: from_id === id })),
});

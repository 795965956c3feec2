import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnRemoved } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => ({
  calendar_pictures_removed: (await listOwnRemoved(db, id)).map(({ removed_at, ...removed }) => ({
    ...removed,
    removed_at: toIso(removed_at),
  })),
});

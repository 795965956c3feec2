import type { AccountExport } from "#server/platform/context.ts";
import * as store from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => ({
  notifications: await store.findSettings(db, id),
});

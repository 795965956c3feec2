import type { AccountExport } from "#server/platform/context.ts";
import { findSettings } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => ({ notifications: await findSettings(db, id) });

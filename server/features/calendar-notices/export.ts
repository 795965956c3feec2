import type { AccountExport } from "#server/platform/context.ts";
import { listNotices } from "./actions.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => ({
  calendar_notices: (await listNotices(db, id)).map(({ at, text }) => ({ at, text })),
});

import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import * as store from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const webhooks = await store.listOwnWebhooks(db, id);
  return { webhooks_made: webhooks.map(({ name, created_at }) => ({ name, created_at: toIso(created_at) })) };
};

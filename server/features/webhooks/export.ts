import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnWebhooks } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const webhooks = await listOwnWebhooks(db, id);
  return { webhooks_made: webhooks.map(({ name, created_at }) => ({ name, created_at: toIso(created_at) })) };
};

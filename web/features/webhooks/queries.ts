import type { UseQueryResult } from "@tanstack/react-query";

import { getWebhooks, type Webhook } from "#contract/webhooks.ts";
import { adminKey } from "#web/admin/api.ts";
import { useReply } from "#web/data/query-client.ts";

export function useWebhooks(): UseQueryResult<Webhook[]> {
  return useReply(getWebhooks, { queryKey: [...adminKey, "webhooks"] });
}

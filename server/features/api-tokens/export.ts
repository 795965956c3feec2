import type { AccountExport } from "#server/platform/context.ts";
import { listOwnTokens } from "./actions.ts";

export const accountExport: AccountExport = async (context, member) => {
  const tokens = await listOwnTokens(context, member);
  return {
    api_tokens: tokens.map(({ name, scope, created_at, expires_at, last_used_at }) => ({
      name,
      scope,
      created_at,
      expires_at,
      last_used_at,
    })),
  };
};

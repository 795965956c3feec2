import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listIdentities } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => ({
  oidc_identities: (await listIdentities(db, id)).map(({ issuer, subject, created_at, last_used_at }) => ({
    issuer,
    subject,
    created_at: toIso(created_at),
    last_used_at: last_used_at === null ? null : toIso(last_used_at),
  })),
});

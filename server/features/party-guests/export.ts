import type { AccountExport } from "#server/platform/context.ts";
import { listOwnGuests } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => ({ party_guests: await listOwnGuests(db, id) });

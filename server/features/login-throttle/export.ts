import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnKnownDevices } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const devices = await listOwnKnownDevices(db, id);
  return { known_browsers: devices.map(({ last_login_at }) => ({ last_login_at: toIso(last_login_at) })) };
};

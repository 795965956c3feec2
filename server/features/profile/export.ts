import { listOwnSessions } from "#server/features/auth/store.ts";
import { listOwnKnownDevices } from "#server/features/auth/throttle-store.ts";
import { listSubscriptions } from "#server/features/notifications/store.ts";
import type { AccountExport } from "#server/platform/context.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import { toIso } from "#server/time.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const subscriptions = await listSubscriptions(db, id);
  const sessions = await listOwnSessions(db, id);
  const browsers = await listOwnKnownDevices(db, id);
  const endpointsOf = (session: string) =>
    subscriptions.filter(({ session_id }) => session_id === session).map(({ endpoint }) => endpoint);
  return {
    devices: sessions.map((session) => ({
      device: describeDevice(session.user_agent),
      user_agent: session.user_agent,
      logged_in_at: toIso(session.created_at),
      last_seen_at: toIso(session.last_seen_at),
      confirmed_at: toIso(session.confirmed_at),
      passkey_used_at: session.passkey_at === null ? null : toIso(session.passkey_at),
      stays_logged_in: session.is_remembered === 1,
      push_endpoint: endpointsOf(session.id).join(" ") || null,
    })),
    known_browsers: browsers.map(({ last_login_at }) => ({ last_login_at: toIso(last_login_at) })),
  };
};

import { maxId, paginate } from "#server/db/paginate.ts";
import * as sessionStore from "#server/features/members/session-store.ts";
import * as notificationStore from "#server/features/notifications/store.ts";
import type { AccountExport } from "#server/platform/context.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import { toIso } from "#server/time.ts";
import * as eventStore from "./event-store.ts";
import * as invitationStore from "./invitation-store.ts";
import * as oidcStore from "./oidc-store.ts";
import * as passkeyStore from "./passkey-store.ts";
import * as resetStore from "./reset-store.ts";
import * as throttleStore from "./throttle-store.ts";
import { listOwnTokens } from "./token-actions.ts";

export const accountExport: AccountExport = async (context, member) => {
  const { db } = context;
  const { id } = member;
  const subscriptions = await notificationStore.listSubscriptions(db, id);
  const sessions = await sessionStore.listOwnSessions(db, id);
  const endpointsOf = (session: string) =>
    subscriptions.filter(({ session_id }) => session_id === session).map(({ endpoint }) => endpoint);
  const browsers = await throttleStore.listOwnKnownDevices(db, id);
  const tokens = await listOwnTokens(context, member);
  const invitations = await invitationStore.listOwnInvitations(db, id);
  const identities = await oidcStore.listIdentities(db, id);
  const passkeys = await passkeyStore.listPasskeys(db, id);
  const links = await resetStore.listOwnResetLinks(db, id);
  async function* events() {
    const pages = paginate({ id: maxId }, (before, limit) => eventStore.listAccountEvents(db, id, before.id, limit));
    for await (const rows of pages) yield rows.map(({ at, kind, device }) => ({ at: toIso(at), kind, device }));
  }
  return {
    devices: sessions.map((session) => ({
      device: describeDevice(session.user_agent),
      user_agent: session.user_agent,
      logged_in_at: toIso(session.created_at),
      last_seen_at: toIso(session.last_seen_at),
      confirmed_at: toIso(session.confirmed_at),
      passkey_used_at: toIso(session.passkey_at),
      stays_logged_in: session.is_remembered === 1,
      push_endpoint: endpointsOf(session.id).join(" ") || null,
    })),
    known_browsers: browsers.map(({ last_login_at }) => ({ last_login_at: toIso(last_login_at) })),
    api_tokens: tokens.map(({ name, scope, created_at, expires_at, last_used_at }) => ({
      name,
      scope,
      created_at,
      expires_at,
      last_used_at,
    })),
    invitations_made: invitations.map(({ permissions, created_at, expires_at, uses_left, revoked_at }) => ({
      permissions,
      made_at: toIso(created_at),
      expires_at: toIso(expires_at),
      uses_left,
      revoked_at: toIso(revoked_at),
    })),
    oidc_identities: identities.map(({ issuer, subject, created_at, last_used_at }) => ({
      issuer,
      subject,
      created_at: toIso(created_at),
      last_used_at: toIso(last_used_at),
    })),
    passkeys: passkeys.map(({ name, credential_id, created_at, last_used_at }) => ({
      name,
      credential_id,
      created_at: toIso(created_at),
      last_used_at: toIso(last_used_at),
    })),
    reset_links: links.map(({ is_mailed, expires_at }) => ({
      is_mailed: is_mailed === 1,
      open_until: toIso(expires_at),
    })),
    account_events: events(),
  };
};

import type { User } from "#contract/members.ts";
import { isShownWith } from "#contract/visibility.ts";
import type { Config } from "#server/config.ts";
import { type Db, tryWrite } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { createBatcher } from "#server/platform/jobs/batcher.ts";
import type { Access } from "#server/platform/realtime/options.ts";
import { sessionCutoffs, touchIntervalMs } from "./session-rules.ts";
import * as store from "./session-store.ts";
import * as members from "./store.ts";

/** Sessions whose last use is stored together. */
const maxTouches = 500;
const maxWaitingTouches = 5000;
/** Includes the member's current permissions. */
export function createFindMember(db: Db, config: Config, clock: Clock): (sessionId: string) => Promise<Member | null> {
  const touchSession = createBatcher<string, void>({
    maxBatch: maxTouches,
    maxWaiting: maxWaitingTouches,
    commit: async (ids) => {
      await tryWrite(store.touchSessions(db, ids, clock.now()));
      return ids.map(() => undefined);
    },
  });

  return async (sessionId) => {
    const id = sha256(sessionId);
    const row = await store.findSession(db, id, sessionCutoffs(clock.now(), config.rememberDays));
    if (!row) return null;
    if (clock.now() - row.last_seen_at > touchIntervalMs) await touchSession(id);
    return { ...members.toUser(row), sessionId: id, confirmedAt: row.confirmed_at, passkeyAt: row.passkey_at };
  };
}

/** Finds the members of open WebSockets by the hashed ids of their sessions. */
export function createFindAccess(db: Db, config: Config, clock: Clock) {
  return async (ids: readonly string[]): Promise<Map<string, Access>> => {
    const sessions = await store.listSessionsById(db, ids, sessionCutoffs(clock.now(), config.rememberDays));
    return new Map(sessions.map((session) => [session.session_id, toAccess(session)]));
  };
}

function toAccess(session: store.Session): Access {
  return {
    sessionId: session.session_id,
    userId: session.id,
    name: session.name,
    avatarId: session.avatar_id,
    permissions: members.parsePermissions(session.permissions),
    isShown: isShownWith(session.visibility, "presence"),
    memberVersion: sha256(JSON.stringify(members.toUser(session))),
  };
}

/** Locks the member's row. Refuses with 401 if the session has ended during the request, e.g. by a new password. */
export async function lockSession(tx: Db, { id, sessionId }: Member): Promise<User> {
  const user = await members.lockUser(tx, id);
  if (!user || !(await store.hasSession(tx, sessionId))) throw refuse("notLoggedIn");
  return members.toUser(user);
}

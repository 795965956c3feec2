import { randomBytes } from "node:crypto";

import type { BodyOf } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import * as contract from "#contract/profile.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { publishCounterChange } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import {
  checkNewPassword,
  checkNotTaken,
  publishMemberChange,
  toTakenRefusal,
} from "#server/features/members/actions.ts";
import { normalize } from "#server/features/members/rules.ts";
import { lockSession } from "#server/features/members/session-actions.ts";
import { sessionCutoffs } from "#server/features/members/session-rules.ts";
import * as sessionStore from "#server/features/members/session-store.ts";
import * as members from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import { checkRecentPassword, type Member } from "#server/platform/http/member.ts";
import { refuse, refuseField, refuseFields } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import type { RenewedSession } from "#server/platform/http/session-cookies.ts";
import type { ReceiveUpload } from "#server/platform/http/upload.ts";
import { checkCount } from "#server/platform/limits/limits.ts";
import * as limitsStore from "#server/platform/limits/store.ts";
import { formatDateTime } from "#server/platform/mail/notice.ts";
import { pictureProblemTexts, reencodePicture } from "#server/platform/pictures/picture.ts";
import type { Say } from "#server/platform/say.ts";
import { days, toIso } from "#server/time.ts";
import * as eventStore from "./event-store.ts";
import { verifyCurrentPassword, endAllSessions, renewSession } from "./login-actions.ts";
import { replacePassword } from "./reset-actions.ts";
import * as resetStore from "./reset-store.ts";

/** Each change sends two mails, and the new address may belong to a stranger. */
const emailChanges = { limit: 5, seconds: days(1) / 1000 };

/** Requires a recently confirmed password for `uname` and `email`. */
export async function updateProfile(
  context: Context,
  member: Member,
  { changed, ...sent }: BodyOf<typeof contract.updateProfile>,
  { device }: RequestSource,
): Promise<User> {
  const { clock, log } = context;
  const saved = await change(context, member.id, async (tx, say) => {
    const before = await lockSession(tx, member);
    const form = { ...before, ...Object.fromEntries(changed.map((name) => [name, sent[name]])) };
    // The ranking contains the name and the user name.
    const isRenamed = form.name !== before.name || form.uname !== before.uname;
    const isEmailChanged = form.email !== before.email;
    if (form.uname !== before.uname || isEmailChanged) checkRecentPassword(member, clock.now());
    await checkNotTaken(tx, form, member.id);
    if (isEmailChanged) {
      const changes = await limitsStore.countAttempt({ ...context, db: tx }, emailChanges, [
        `email-change:${member.id}`,
      ]);
      checkCount(changes, ["email", "tooManyChanges"]);
    }
    // Locks the version before the user's row, like a booking, to avoid a deadlock.
    if (isRenamed) await beerStore.incrementVersion(tx);
    const user = await members.updateUser(tx, member.id, form);
    if (isEmailChanged) {
      await queueEmailChangeNotice(context, tx, say, before, user);
      await eventStore.createAccountEvent(tx, { user_id: member.id, at: clock.now(), kind: "email-changed", device });
    }
    if (isRenamed) await publishAppearance(tx, say, member.id);
    else await publishMemberData(say, member.id);
    return { user, isEmailChanged };
  }).catch((error: unknown) => {
    throw toTakenRefusal(error);
  });
  if (saved.isEmailChanged) log.info("email-changed", { user: member.id });
  return saved.user;
}

/** Deletes the reset links too: they may have been mailed to the old address. */
async function queueEmailChangeNotice(
  { config, clock }: Pick<Context, "config" | "clock">,
  tx: Db,
  say: Say,
  before: User,
  after: User,
): Promise<void> {
  await resetStore.deleteResetTokens(tx, before.id);
  const at = formatDateTime(clock.now(), config.timeZone);
  const recipients = normalize(before.email) === normalize(after.email) ? [after.email] : [before.email, after.email];
  for (const recipient of recipients) {
    const message = {
      recipient,
      subject: "Deine E-Mail-Adresse wurde geändert",
      paragraphs: [`die E-Mail-Adresse deines Accounts wurde am ${at} geändert.`],
      closing: "Du warst das nicht? Dann ändere gleich dein Passwort und sag eurer Verwaltung Bescheid.",
    };
    await say.mail(message);
  }
}

/** Ends all other sessions and gives the current one a new id. `device` is the value of the device cookie. */
export async function changePassword(
  context: Context,
  member: Member,
  form: BodyOf<typeof contract.changePassword>,
  device: string | null,
  source: RequestSource,
): Promise<RenewedSession> {
  const password = await checkNewPassword(context, form, member);
  if (password.length > 0) throw refuseFields({ password });
  const session = await replacePassword(context, member, form.password, source, {
    sessionId: member.sessionId,
    device,
  });
  if (!session) throw refuse("notLoggedIn");
  context.log.info("password-changed", { user: member.id });
  return session;
}

/** Verifies the password, which then counts as confirmed for three hours, and gives the session a new id. */
export async function confirmPassword(
  context: Context,
  member: Member,
  password: string,
  source: RequestSource,
): Promise<RenewedSession> {
  const { db, clock } = context;
  const checkedHash = await verifyCurrentPassword(context, member, password, source);
  return inTransaction(db, async (tx) => {
    if (!(await members.lockUserIfUnchanged(tx, member.id, checkedHash)))
      throw refuseField("password", "wrongPassword");
    return renewSession(context, tx, member.sessionId, { confirmed_at: clock.now() });
  });
}

export async function listDevices(
  { db, config, clock }: Pick<Context, "db" | "config" | "clock">,
  member: Member,
): Promise<contract.Device[]> {
  const sessions = await sessionStore.listSessions(db, member.id, sessionCutoffs(clock.now(), config.rememberDays));
  return sessions.map(({ id, user_agent, created_at, last_seen_at }) => ({
    id,
    device: describeDevice(user_agent),
    created_at: toIso(created_at),
    last_seen_at: toIso(last_seen_at),
    current: id === member.sessionId,
  }));
}

/** Requires a recently confirmed password unless it is the current session. */
export async function endDevice(
  context: Pick<Context, "db" | "clock" | "realtime" | "say">,
  member: Member,
  id: string,
): Promise<void> {
  const { clock } = context;
  if (id !== member.sessionId) checkRecentPassword(member, clock.now());
  await change(context, member.id, async (tx, say) => {
    if (!(await sessionStore.deleteOwnSession(tx, member.id, id))) throw refuse("notFound");
    await say.access({ userId: member.id, sessionIds: [id] });
  });
}

/** Keeps the current session. `device` is the value of its device cookie, so that the browser remains known. */
export async function endOtherDevices(
  context: Pick<Context, "db" | "realtime" | "say">,
  member: Member,
  device: string | null,
): Promise<void> {
  const { id, sessionId } = member;
  await change(context, member.id, async (tx, say) => {
    const ended = await endAllSessions(tx, id, { sessionId, device });
    if (ended.length > 0) await say.access({ userId: id, sessionIds: ended });
  });
}

export async function createPicture(
  context: Context,
  member: Member,
  receive: ReceiveUpload<typeof contract.uploadPicture>,
): Promise<string> {
  const { db, clock } = context;
  return receive(async (readForm) => {
    const png = await reencodePicture(async () => (await readForm()).read(), contract.avatarLimits.side);
    if (typeof png === "string") throw refuseField("avatar", pictureProblemTexts[png]);
    const id = randomBytes(16).toString("base64url");
    await inTransaction(db, async (tx) => {
      // The member may have been disabled or deleted during the upload.
      if ((await members.lockUser(tx, member.id))?.disabled_at !== null) throw refuse("notLoggedIn");
      const max = contract.avatarLimits.perMember;
      if ((await members.listPictures(tx, member.id)).length >= max)
        throw refuseField("avatar", "tooManyPictures", { max });
      await members.insertPicture(tx, { id, user_id: member.id, png, created_at: clock.now() });
    });
    return id;
  });
}

export async function choosePicture(context: Context, member: Member, id: string | null): Promise<void> {
  await change(context, member.id, async (tx, say) => {
    await members.lockUser(tx, member.id);
    const isOwn = id === null || (await members.listPictures(tx, member.id)).some((picture) => picture.id === id);
    if (!isOwn) throw refuseField("id", "invalid");
    await members.updateAvatar(tx, member.id, id);
    await beerStore.incrementVersion(tx);
    await publishAppearance(tx, say, member.id);
  });
}

/** If the picture was selected, other members see the default picture. */
export async function deleteOwnPicture(context: Context, member: Member, id: string): Promise<void> {
  await change(context, member.id, async (tx, say) => {
    const user = await members.lockUser(tx, member.id);
    if (!(await members.deletePicture(tx, member.id, id))) throw refuse("notFound");
    if (user?.avatar_id !== id) return;
    await members.updateAvatar(tx, member.id, null);
    await beerStore.incrementVersion(tx);
    await publishAppearance(tx, say, member.id);
  });
}

/**
 * Publishes a changed name or picture to the presence list, the member's own pages and the ranking. Call this in the
 * transaction of the change.
 */
export async function publishAppearance(tx: Db, say: Say, userId: number): Promise<void> {
  await publishMemberData(say, userId);
  await publishCounterChange(tx, say);
}

async function publishMemberData(say: Say, userId: number): Promise<void> {
  await say.access({ userId });
  await publishMemberChange(say, userId);
}

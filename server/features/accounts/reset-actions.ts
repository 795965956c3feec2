import { randomBytes } from "node:crypto";

import type { BodyOf } from "#contract/endpoint.ts";
import type * as contract from "#contract/password-reset.ts";
import type { Db } from "#server/db/connect.ts";
import { checkNewPassword } from "#server/features/members/actions.ts";
import { normalize } from "#server/features/members/rules.ts";
import * as memberStore from "#server/features/members/store.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { refuseField, refuseFields } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { addressKeys, checkCount } from "#server/platform/limits/limits.ts";
import * as limitsStore from "#server/platform/limits/store.ts";
import { formatDateTime } from "#server/platform/mail/notice.ts";
import type { Say } from "#server/platform/say.ts";
import { hashPassword } from "#server/platform/security/passwords.ts";
import * as eventStore from "./event-store.ts";
import { canLogIn, checkPasswordLogin, endAllSessions, type KeptSession, renewSession } from "./login-actions.ts";
import * as oidcStore from "./oidc-store.ts";
import * as passkeyStore from "./passkey-store.ts";
import { linkLifetimeMs, maxLiveLinks, throttle } from "./reset-rules.ts";
import * as store from "./reset-store.ts";
import * as throttleStore from "./throttle-store.ts";
import * as tokenStore from "./token-store.ts";

/** Minimum duration of an answer, so that it does not reveal which email addresses exist. */
const minAnswerMs = 200;

export interface ResetLink {
  readonly url: string;
  readonly expiresAt: number;
}

/**
 * If the member already has `maxLiveLinks`, replaces the oldest mailed link, or else the oldest from an administrator.
 * Returns `undefined` for a disabled account, and for a mailed link that would replace an administrator's, because
 * anyone can request mails.
 */
export async function createResetLink(
  tx: Db,
  { config, clock }: Pick<Context, "config" | "clock">,
  userId: number,
  made: "by mail" | { by: Actor },
): Promise<ResetLink | undefined> {
  const now = clock.now();
  const isMailed = made === "by mail";
  const user = await memberStore.lockUser(tx, userId);
  if (user?.disabled_at !== null) return undefined;
  const live = await store.listLiveResetTokens(tx, userId, now);
  if (live.length >= maxLiveLinks) {
    const ended = live.find(({ is_mailed }) => is_mailed === 1) ?? (isMailed ? undefined : live[0]);
    if (!ended) return undefined;
    await store.deleteResetToken(tx, ended.id);
  }
  const token = randomBytes(32).toString("base64url");
  const expiresAt = now + (isMailed ? linkLifetimeMs.mailed : linkLifetimeMs.fromAdmin);
  await store.createResetToken(tx, {
    user_id: userId,
    token_hash: sha256(token),
    is_mailed: isMailed ? 1 : 0,
    created_by: isMailed ? null : made.by,
    expires_at: expiresAt,
  });
  return { url: new URL(`/password-reset#token=${token}`, config.appUrl).href, expiresAt };
}

/** Mails a link if the address belongs to a member. The answer is the same for every address. */
export async function requestReset(context: Context, email: string, ip: string): Promise<void> {
  const { db, config, clock } = context;
  checkPasswordLogin(config);
  const earliest = performance.now() + minAnswerMs;
  try {
    const addresses = addressKeys(ip).map((address) => `reset-address:${address}`);
    checkCount(await limitsStore.countAttempt(context, throttle.perAddress, addresses));
    // Counts unknown addresses too, so that they take as long as known ones. The hash keeps those of strangers and
    // deleted accounts unreadable in the database.
    const account = sha256(normalize(email));
    let isThrottled = false;
    // A request that exceeds the limit per minute does not count towards the limit per hour.
    for (const limit of throttle.perAccount)
      isThrottled ||=
        (await limitsStore.countAttempt(context, limit, [`reset-account:${limit.seconds}:${account}`])).left < 0;
    const user = await memberStore.findUserByEmail(db, email);
    if (user && user.disabled_at === null && !isThrottled) await queueResetEmail(context, user);
  } finally {
    await clock.sleep(Math.max(0, earliest - performance.now()));
  }
}

async function queueResetEmail(context: Context, { id, email }: { id: number; email: string }): Promise<void> {
  const { config, log } = context;
  await change(context, null, async (tx, say) => {
    const link = await createResetLink(tx, context, id, "by mail");
    if (!link) return;
    const { url, expiresAt } = link;
    const message = {
      recipient: email,
      subject: "Passwort zurücksetzen",
      paragraphs: [
        "du möchtest ein neues Passwort festlegen? Hier geht es weiter.",
        `Der Link gilt bis ${formatDateTime(expiresAt, config.timeZone)} und nur ein einziges Mal.`,
      ],
      link: { label: "Neues Passwort festlegen", url },
      closing: "Du hast das nicht angefordert? Dann lösche diese Mail einfach; dein Passwort bleibt, wie es ist.",
    };
    await say.mail(message, expiresAt);
  });
  log.info("reset-requested", { user: id });
}

/** Does not log in. A refused password leaves the link valid. */
export async function resetPassword(
  context: Context,
  form: BodyOf<typeof contract.resetPassword>,
  source: RequestSource,
): Promise<void> {
  const { db, config, clock, log } = context;
  const tokenHash = sha256(form.token);
  const user = await store.findResetToken(db, tokenHash, clock.now());
  if (!user) throw refuseField("token", "invalidResetLink");
  const password = await checkNewPassword(context, form, user);
  if (password.length > 0) throw refuseFields({ password });
  await replacePassword(context, user, form.password, source, null, async (tx, say) => {
    const link = await store.claimResetToken(tx, tokenHash);
    if (!link) throw refuseField("token", "invalidResetLink");
    // An attacker may have added a passkey or the identity, so both go. With ADMIN_PASSKEY, a mailed link deletes
    // neither for an administrator, so that access to the mailbox is not enough. The identity stays if the member could
    // not log in without it.
    const isKept =
      link.is_mailed === 1 && config.adminPasskey && memberStore.parsePermissions(user.permissions).includes("admin");
    if (!isKept) {
      await passkeyStore.deletePasskeys(tx, user.id);
      if (await canLogIn(tx, user.id, { ...config, oidcIssuer: null })) await oidcStore.deleteIdentities(tx, user.id);
    }
    if (link.is_mailed === 1) return;
    await say.audit("reset-link-used", {}, user.id);
  });
  log.info("password-reset", { user: user.id });
}

/**
 * Ends the login pause, all reset links and API tokens, and all sessions and known devices except those in `keep`.
 * Calls `claim` after storing the password, in the same transaction.
 */
export async function replacePassword(
  context: Context,
  user: { readonly id: number; readonly email: string },
  password: string,
  { device }: RequestSource,
  keep: KeptSession | null,
  claim: (tx: Db, say: Say) => Promise<void> = async () => {},
) {
  const { config, clock, hashCost } = context;
  const hash = await hashPassword(password, hashCost);
  const kept = await change(context, user.id, async (tx, say) => {
    // The lock makes concurrent uses of two links, and the creation of another link, wait.
    await memberStore.lockUser(tx, user.id);
    await memberStore.updatePasswordHash(tx, user.id, hash);
    await claim(tx, say);
    const rotated = keep === null ? null : await renewSession(context, tx, keep.sessionId);
    await throttleStore.clearFailures(tx, { table: "users", id: user.id });
    await store.deleteResetTokens(tx, user.id);
    await tokenStore.deleteTokens(tx, user.id);
    const kind = keep === null ? "password-reset" : "password-changed";
    await eventStore.createAccountEvent(tx, { user_id: user.id, at: clock.now(), kind, device });
    const at = formatDateTime(clock.now(), config.timeZone);
    const message = {
      recipient: user.email,
      subject: "Dein Passwort wurde geändert",
      paragraphs: [`dein Passwort wurde am ${at} geändert. Alle anderen Geräte sind jetzt abgemeldet.`],
      closing: "Du warst das nicht? Dann setze dein Passwort gleich zurück und sag eurer Verwaltung Bescheid.",
    };
    await say.mail(message);
    const stays = keep && rotated && { ...keep, sessionId: sha256(rotated.sessionId) };
    const ended = await endAllSessions(tx, user.id, stays);
    if (ended.length > 0) await say.access({ userId: user.id, sessionIds: ended });
    return rotated;
  });
  return kept;
}

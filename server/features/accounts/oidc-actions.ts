import type { BodyOf, ReplyOf } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import * as contract from "#contract/oidc.ts";
import { type Db, findViolatedConstraint, inTransaction } from "#server/db/connect.ts";
import { publishCounterChange } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { checkNotTaken, toTakenRefusal } from "#server/features/members/actions.ts";
import { noPassword } from "#server/features/members/rules.ts";
import { lockSession } from "#server/features/members/session-actions.ts";
import * as memberStore from "#server/features/members/store.ts";
import * as auditStore from "#server/platform/audit/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import { createRandomToken, type RenewedSession, sha256 } from "#server/platform/http/session-cookies.ts";
import { formatDateTime } from "#server/platform/mail/notice.ts";
import { type Claims, issuerOf, type Provider } from "#server/platform/oidc/provider.ts";
import type { Say } from "#server/platform/say.ts";
import { toIso } from "#server/time.ts";
import * as eventStore from "./event-store.ts";
import { createInvitedMember } from "./invitation-actions.ts";
import { hashToken } from "./invitation-rules.ts";
import * as invitationStore from "./invitation-store.ts";
import {
  canLogIn,
  createSession,
  type LoginClient,
  renewSession,
  type SessionBegin,
  type StartedSession,
} from "./login-actions.ts";
import { checkGroup, keepGrant, sealToken } from "./oidc-end-actions.ts";
import { lifetimeMs, numberUname, sessionOf, suggestFields, type Suggestions, timeOfLogin } from "./oidc-rules.ts";
import * as store from "./oidc-store.ts";

/** Tolerated difference between the clocks of the provider and this server. */
const freshnessToleranceSeconds = 60;
/** Number of user names that are tried for a suggestion. */
const maxUnameNumber = 20;

/** `browser` is the value of the cookie that binds the request to the browser. */
interface StartedRequest {
  readonly url: string;
  readonly browser: string;
}

/** Refuses an unusable invitation before the member leaves for the provider. */
export async function startLogin(
  context: Context,
  provider: Provider,
  { rememberUser, invitation, return_to }: BodyOf<typeof contract.startOidcLogin>,
  origin: string,
): Promise<StartedRequest> {
  const invitation_hash = invitation === undefined ? null : hashToken(invitation);
  if (
    invitation_hash !== null &&
    !(await invitationStore.isInvitationUsable(context.db, invitation_hash, context.clock.now()))
  )
    throw refuseField("invitation", "invalidInvitation");
  const is_remembered = rememberUser ? 1 : 0;
  return start(context, provider, { purpose: "login", origin, return_to, invitation_hash, is_remembered });
}

/** Refuses a member who has an identity of this provider already. */
export async function startLink(
  context: Context,
  provider: Provider,
  { id: user_id }: Member,
  origin: string,
): Promise<StartedRequest> {
  if (await store.findIdentityOfUser(context.db, provider.issuer, user_id)) throw refuse("oidcAlreadyLinked");
  return start(context, provider, { purpose: "link", origin, user_id });
}

/** Refuses a member without an identity of this provider. */
export async function startConfirmation(
  context: Context,
  provider: Provider,
  { id: user_id }: Member,
  return_to: string,
  origin: string,
): Promise<StartedRequest> {
  if (!(await store.findIdentityOfUser(context.db, provider.issuer, user_id))) throw refuse("oidcWrongIdentity");
  return start(context, provider, { purpose: "confirm", origin, user_id, return_to });
}

async function start(
  { db, clock }: Pick<Context, "db" | "clock">,
  provider: Provider,
  request: {
    readonly purpose: contract.OidcPurpose;
    /** Origin of the page, to which the provider returns the browser. */
    readonly origin: string;
    readonly user_id?: number;
    readonly return_to?: string;
    readonly invitation_hash?: string | null;
    readonly is_remembered?: number;
  },
): Promise<StartedRequest> {
  const { origin, ...given } = request;
  const now = clock.now();
  const browser = createRandomToken();
  const secrets = {
    state: createRandomToken(),
    nonce: createRandomToken(),
    code_verifier: createRandomToken(),
    redirect_uri: `${origin}${contract.callbackPath}`,
  };
  const url = await provider.createAddress(secrets, request.purpose === "confirm");
  const { state, ...stored } = secrets;
  await store.createRequest(db, {
    user_id: null,
    return_to: "",
    invitation_hash: null,
    is_remembered: 0,
    ...given,
    ...stored,
    id: sha256(state),
    browser_id: sha256(browser),
    created_at: now,
    expires_at: now + lifetimeMs.request,
  });
  return { url, browser };
}

type Request = NonNullable<Awaited<ReturnType<typeof store.claimRequest>>>;

interface Finished {
  readonly reply: ReplyOf<typeof contract.finishOidc>;
  readonly started?: StartedSession;
  readonly renewed?: RenewedSession;
}

/** `browser` is the value of the cookie that binds the request to the browser. */
export async function finish(
  context: Context,
  provider: Provider,
  answer: URLSearchParams,
  browser: string | null,
  client: LoginClient,
): Promise<Finished> {
  const { db, clock, log } = context;
  const state = answer.get("state") ?? "";
  const now = clock.now();
  const request =
    browser === null
      ? undefined
      : await store.claimRequest(db, { id: sha256(state), browser_id: sha256(browser) }, now);
  if (!request) throw refuse("oidcExpired");
  const reply = { purpose: request.purpose, return_to: request.return_to, user: null, registration: null };
  try {
    const sinceStart = Math.max(0, Math.ceil((now - request.created_at) / 1000));
    const maxAge = request.purpose === "confirm" ? sinceStart + freshnessToleranceSeconds : undefined;
    const { claims, refreshToken } = await provider.readAnswer(answer, { ...request, state }, maxAge);
    const grant = sealToken(context, refreshToken);
    if (request.purpose === "login")
      return { ...(await finishLogin(context, provider, { ...request, grant }, claims, client, reply)) };
    const { member } = client;
    if (member === null) throw refuse("notLoggedIn");
    if (member.id !== request.user_id) throw refuse("oidcExpired");
    if (request.purpose === "confirm") return { reply, renewed: await confirm(context, provider, member, claims) };
    await link(context, provider, member, { claims, grant }, client.source);
    return { reply };
  } catch (error) {
    const { reqId, network } = client.source;
    if (request.purpose === "login") log.info("login-failed", { reqId, network, with: "oidc" });
    throw error;
  }
}

async function finishLogin(
  context: Context,
  { issuer }: Provider,
  request: Request & { readonly grant: string | null },
  claims: Claims,
  client: LoginClient,
  reply: Finished["reply"],
): Promise<Finished> {
  const { db, config, clock } = context;
  checkGroup(context, claims);
  const begun = { confirmedAt: timeOfLogin(claims, clock.now()), oidcSid: sessionOf(claims) };
  const created = await change(context, null, async (tx, say) => {
    const identity = await store.findIdentity(tx, issuer, claims.sub);
    if (!identity) return null;
    const user = await memberStore.lockUser(tx, identity.user_id);
    if (user?.disabled_at !== null) throw refuse("oidcAccountDisabled");
    await store.updateIdentityUse(tx, identity.id, clock.now());
    await keepGrant(context, tx, identity.id, request.grant);
    return startSession(context, tx, say, memberStore.toUser(user), request.is_remembered === 1, client, begun);
  });
  if (created !== null) {
    logLogin(context, created.user);
    return { started: created, reply: { ...reply, user: created.user } };
  }
  const now = clock.now();
  const { browser_id, is_remembered, invitation_hash } = request;
  const isInvited = invitation_hash !== null && (await invitationStore.isInvitationUsable(db, invitation_hash, now));
  if (!isInvited && config.oidcAccounts !== "automatic") throw refuse("oidcUnknown");
  await store.upsertRegistration(db, {
    browser_id,
    issuer,
    subject: claims.sub,
    invitation_hash: isInvited ? invitation_hash : null,
    is_remembered,
    confirmed_at: begun.confirmedAt,
    sid: begun.oidcSid,
    refresh_token: request.grant,
    expires_at: now + lifetimeMs.registration,
  });
  return { reply: { ...reply, registration: await chooseFreeFields(db, suggestFields(claims)) } };
}

async function startSession(
  context: Context,
  tx: Db,
  say: Say,
  user: User,
  isRemembered: boolean,
  client: LoginClient,
  begun: SessionBegin,
) {
  return { ...(await createSession(context, tx, say, user.id, isRemembered, client, "oidc-login", begun)), user };
}

function logLogin({ log }: Pick<Context, "log">, { id }: User): void {
  log.info("login", { user: id, with: "oidc" });
}

/** Adds a number to a user name that is taken, and omits an email address that is taken. */
async function chooseFreeFields(db: Db, { uname, name, email }: Suggestions): Promise<Suggestions> {
  const isEmailTaken =
    email !== "" && (await memberStore.listTakenFields(db, { uname: "", email }, 0)).includes("email");
  const free = { uname: "", name, email: isEmailTaken ? "" : email };
  if (uname === "") return free;
  for (let number = 1; number <= maxUnameNumber; number++) {
    const numbered = numberUname(uname, number);
    if (!(await memberStore.listTakenFields(db, { uname: numbered, email: "" }, 0)).includes("uname"))
      return { ...free, uname: numbered };
  }
  return free;
}

export async function register(
  context: Context,
  { issuer }: Provider,
  form: BodyOf<typeof contract.registerWithOidc>,
  browser: string | null,
  client: LoginClient,
): Promise<StartedSession> {
  const { config, clock, log } = context;
  const now = clock.now();
  const created = await change(context, null, async (tx, say) => {
    const registration =
      browser === null ? undefined : await store.claimRegistration(tx, { browser_id: sha256(browser), issuer }, now);
    if (!registration) throw refuse("oidcExpired");
    const { invitation_hash, subject, is_remembered, confirmed_at: confirmedAt, sid: oidcSid } = registration;
    if (invitation_hash === null && config.oidcAccounts !== "automatic") throw refuse("oidcUnknown");
    const id = await (invitation_hash === null
      ? createUninvitedMember(tx, form, now)
      : createInvitedMember(tx, context, invitation_hash, { ...form, password_hash: noPassword }));
    const identity = { user_id: id, issuer, subject, created_at: now, last_used_at: now };
    await keepGrant(context, tx, await store.createIdentity(tx, identity), registration.refresh_token);
    await publishCounterChange(tx, say);
    const user = memberStore.toUser((await memberStore.findUserById(tx, id))!);
    return startSession(context, tx, say, user, is_remembered === 1, client, { confirmedAt, oidcSid });
  }).catch((error: unknown) => {
    throw findViolatedConstraint(error)?.includes("oidc") ? refuse("oidcIdentityTaken") : toTakenRefusal(error);
  });
  log.info("registered", { user: created.user.id, with: "oidc" });
  logLogin(context, created.user);
  return created;
}

async function createUninvitedMember(
  tx: Db,
  form: BodyOf<typeof contract.registerWithOidc>,
  now: number,
): Promise<number> {
  // Raises the version of the counters, because the new member joins the ranking.
  await beerStore.incrementVersion(tx);
  await checkNotTaken(tx, form);
  const id = await memberStore.insertUser(tx, {
    ...form,
    password_hash: noPassword,
    permissions: [],
    invitation_id: null,
    created_at: now,
  });
  await auditStore.createAuditEntry(tx, "registered-with-oidc", {}, { at: now, by: id, memberId: id });
  return id;
}

async function link(
  context: Context,
  { issuer }: Provider,
  member: Member,
  { claims, grant }: { readonly claims: Claims; readonly grant: string | null },
  { device }: RequestSource,
): Promise<void> {
  const { config, clock, log } = context;
  checkGroup(context, claims);
  const now = clock.now();
  await change(context, member.id, async (tx, say) => {
    await lockSession(tx, member);
    if (await store.findIdentityOfUser(tx, issuer, member.id)) throw refuse("oidcAlreadyLinked");
    if (await store.findIdentity(tx, issuer, claims.sub)) throw refuse("oidcIdentityTaken");
    const identity = { user_id: member.id, issuer, subject: claims.sub, created_at: now, last_used_at: null };
    await keepGrant(context, tx, await store.createIdentity(tx, identity), grant);
    await eventStore.createAccountEvent(tx, { user_id: member.id, at: now, kind: "oidc-linked", device });
    const at = formatDateTime(now, config.timeZone);
    const message = {
      recipient: member.email,
      subject: "Dein Account ist mit dem Anmeldedienst verbunden",
      paragraphs: [
        `am ${at} wurde dein Account mit dem Anmeldedienst verbunden. Mit ihm kann man sich jetzt anmelden.`,
      ],
      closing: "Du warst das nicht? Dann setze dein Passwort zurück und sag eurer Verwaltung Bescheid.",
    };
    await say.mail(message);
  }).catch((error: unknown) => {
    throw findViolatedConstraint(error) === null ? error : refuse("oidcIdentityTaken");
  });
  log.info("oidc-linked", { user: member.id });
}

/** Confirms the session, because the member has just logged in again at the provider. */
async function confirm(
  context: Context,
  { issuer }: Provider,
  member: Member,
  claims: Claims,
): Promise<RenewedSession> {
  const { db, clock } = context;
  return inTransaction(db, async (tx) => {
    await lockSession(tx, member);
    const identity = await store.findIdentityOfUser(tx, issuer, member.id);
    if (identity?.subject !== claims.sub) throw refuse("oidcWrongIdentity");
    await store.updateIdentityUse(tx, identity.id, clock.now());
    return renewSession(context, tx, member.sessionId, { confirmed_at: clock.now() });
  });
}

export async function findLink(
  { db, config }: Pick<Context, "db" | "config">,
  member: Member,
): Promise<ReplyOf<typeof contract.getOidcLink>> {
  const identity = await store.findIdentityOfUser(db, issuerOf(config), member.id);
  const user = await memberStore.findUserById(db, member.id);
  return {
    has_password: user?.password_hash !== noPassword,
    identity: identity
      ? {
          created_at: toIso(identity.created_at),
          last_used_at: toIso(identity.last_used_at),
        }
      : null,
  };
}

/**
 * Returns the provider's logout page; `null` if the session did not begin at the provider, and if the provider fails,
 * so that the logout continues.
 */
export async function findLogout(
  { db }: Pick<Context, "db">,
  provider: Provider,
  { sessionId }: Member,
  origin: string,
): Promise<ReplyOf<typeof contract.getOidcLogout>> {
  if (!(await store.isSessionFromOidc(db, sessionId))) return { url: null };
  return { url: await provider.createLogoutAddress(`${origin}/`).catch(() => null) };
}

/** Refuses if the member could not log in without the identity. */
export async function unlink(
  { db, config, clock, log }: Pick<Context, "db" | "config" | "clock" | "log">,
  member: Member,
  { device }: RequestSource,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSession(tx, member);
    const identity = await store.findIdentityOfUser(tx, issuerOf(config), member.id);
    if (!identity) throw refuse("notFound");
    await store.deleteIdentity(tx, identity.id);
    if (!(await canLogIn(tx, member.id, config))) throw refuse("onlyLogin");
    await eventStore.createAccountEvent(tx, { user_id: member.id, at: clock.now(), kind: "oidc-unlinked", device });
  });
  log.info("oidc-unlinked", { user: member.id });
}

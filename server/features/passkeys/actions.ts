import { randomBytes } from "node:crypto";

import type { BodyOf } from "#contract/endpoint.ts";
import * as contract from "#contract/passkeys.ts";
import { findViolatedConstraint, inTransaction, isUnavailable } from "#server/db/connect.ts";
import { createAccountEvent } from "#server/features/account-events/store.ts";
import {
  createSession,
  lockSession,
  type LoginClient,
  minFailureMs,
  renewSession,
  type StartedSession,
} from "#server/features/auth/actions.ts";
import { findUserById, lockUser, toUser } from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import { checkRecentPasskey, type Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { formatDateTime, noticeLifetimeMs } from "#server/platform/mail/notice.ts";
import { toIso } from "#server/time.ts";
import { challengeLifetimeMs } from "./rules.ts";
import * as store from "./store.ts";

/** EdDSA, ES256 and RS256; the defaults ask Node for algorithms that are still an experiment there. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** As long as WebAuthn allows it to be, in base64url: 1023 bytes. */
const maxCredentialIdLength = 1364;

/** Loaded by the first use: it takes as long as the rest of the start. */
const loadWebAuthn = () => import("@simplewebauthn/server");

export async function listOwnPasskeys({ db }: Context, { id }: Member): Promise<contract.Passkey[]> {
  return (await store.listPasskeys(db, id)).map((passkey) => ({
    id: passkey.id,
    name: passkey.name,
    created_at: toIso(passkey.created_at),
    last_used_at: passkey.last_used_at === null ? null : toIso(passkey.last_used_at),
  }));
}

export async function createAddOptions(context: Context, member: Member) {
  const { db, config, group } = context;
  const passkeys = await store.listPasskeys(db, member.id);
  checkMayAdd(context, member, passkeys.length);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: (await group.settings()).group_name,
    rpID: config.appUrl.hostname,
    userID: createUserHandle(member.id),
    userName: member.uname,
    userDisplayName: member.name,
    challenge: await saveChallenge(context, "add", member.sessionId),
    timeout: challengeLifetimeMs,
    supportedAlgorithmIDs,
    excludeCredentials: passkeys.map(describeCredential),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options: { ...options } };
}

/** What a passkey keeps of its member. */
const createUserHandle = (id: number) => new TextEncoder().encode(String(id));

/** Where the admin area demands a passkey, a password alone cannot add a second one. */
function checkMayAdd({ config, clock }: Context, member: Member, count: number): void {
  if (count >= contract.maxPasskeys) throw refuse("M422passkeys");
  if (config.adminPasskey && count > 0 && member.permissions.includes("admin")) checkRecentPasskey(member, clock.now());
}

/** Saves a passkey that the browser has made, and informs the member by mail. */
export async function addPasskey(
  context: Context,
  member: Member,
  { credential: response, name }: BodyOf<typeof contract.addPasskey>,
  { device }: RequestSource,
): Promise<void> {
  const { db, config, clock, log, mailer } = context;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  const { registrationInfo } = await withoutAttestation(response)
    .then((bare) =>
      verifyRegistrationResponse({
        response: bare,
        supportedAlgorithmIDs,
        ...expectations(context, "add", member.sessionId),
      }),
    )
    .catch(refuseCredential);
  if (!registrationInfo) throw refuse("M422passkey");
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  if (id.length > maxCredentialIdLength) throw refuse("M422passkey");
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    await lockSession(tx, member);
    checkMayAdd(context, member, (await store.listPasskeys(tx, member.id)).length);
    await store.createPasskey(tx, {
      user_id: member.id,
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports: JSON.stringify(transports),
      name,
      created_at: now,
    });
    await createAccountEvent(tx, { user_id: member.id, at: now, kind: "passkey-added", device });
    const at = formatDateTime(now, config.timeZone);
    const message = {
      recipient: member.email,
      subject: "Du hast einen neuen Passkey",
      paragraphs: [`am ${at} kam ein Passkey zu deinem Account. Mit ihm kann man sich ohne Passwort anmelden.`],
      closing: "Du warst das nicht? Dann setze dein Passwort zurück und sag eurer Verwaltung Bescheid.",
    };
    await mailer.queue(tx, message, now + noticeLifetimeMs);
  }).catch((error: unknown) => {
    throw findViolatedConstraint(error) === null ? error : refuse("M422passkey");
  });
  log.info("passkey-added", { user: member.id });
  mailer.wake();
}

/**
 * The same without its attestation, which nobody asked for: for one with certificates the library would fetch
 * addresses that stand in them.
 */
async function withoutAttestation(credential: contract.NewCredential): Promise<contract.NewCredential> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import("@simplewebauthn/server/helpers");
  const { response } = credential;
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject)).get("authData");
  const bare = new Map<string, Uint8Array | string | Map<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]);
  return { ...credential, response: { ...response, attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(bare)) } };
}

/** 404 where it is none of the member's. */
export async function renamePasskey({ db }: Context, member: Member, id: number, name: string): Promise<void> {
  if (!(await store.updatePasskeyName(db, member.id, id, name))) throw refuse("M404");
}

/** 404 where it is none of the member's. */
export async function removePasskey(
  { db, config, clock, log }: Context,
  member: Member,
  id: number,
  { device }: RequestSource,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSession(tx, member);
    if (!(await store.deletePasskey(tx, member.id, id))) throw refuse("M404");
    const isLast = (await store.listPasskeys(tx, member.id)).length === 0;
    if (isLast && config.adminPasskey && member.permissions.includes("admin")) throw refuse("M422lastpasskey");
    await createAccountEvent(tx, { user_id: member.id, at: clock.now(), kind: "passkey-removed", device });
  });
  log.info("passkey-removed", { user: member.id });
}

/** The same for everybody, so that nothing tells who has a passkey. `sessionId` is that of the guest, as stored. */
export async function createLoginOptions(context: Context, sessionId: string) {
  return createRequestOptions(context, "login", sessionId);
}

export async function createConfirmOptions(context: Context, member: Member) {
  const passkeys = await store.listPasskeys(context.db, member.id);
  return createRequestOptions(context, "confirm", member.sessionId, passkeys.map(describeCredential));
}

async function createRequestOptions(
  context: Context,
  purpose: store.ChallengePurpose,
  sessionId: string,
  allowCredentials: ReturnType<typeof describeCredential>[] = [],
) {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: context.config.appUrl.hostname,
    challenge: await saveChallenge(context, purpose, sessionId),
    timeout: challengeLifetimeMs,
    userVerification: "required",
    allowCredentials,
  });
  return { options: { ...options } };
}

export async function loginWithPasskey(
  context: Context,
  { credential, rememberUser }: BodyOf<typeof contract.loginWithPasskey>,
  client: LoginClient,
  sessionId: string,
): Promise<StartedSession> {
  const { db, clock, log, realtime } = context;
  const earliest = performance.now() + minFailureMs;
  try {
    const { passkey, counter } = await verifyAssertion(context, "login", sessionId, credential);
    const { ended, user, ...session } = await inTransaction(db, async (tx) => {
      if ((await lockUser(tx, passkey.user_id))?.disabled_at !== null) throw refuse("M422passkey");
      await usePasskey(context, tx, passkey, counter);
      const created = await createSession(context, tx, passkey.user_id, rememberUser, client, "passkey-login");
      return { ...created, user: toUser((await findUserById(tx, passkey.user_id))!) };
    });
    if (ended.length > 0) await realtime.accessChanged({ userId: user.id, sessionIds: ended });
    log.info("login", { user: user.id, with: "passkey" });
    return { user, ...session };
  } catch (error) {
    const { reqId, network } = client.source;
    log.info("login-failed", { reqId, network, with: "passkey" });
    await clock.sleep(Math.max(0, earliest - performance.now()));
    throw error;
  }
}

/** Counts as entering the password, and as the passkey that the admin area may demand. */
export async function confirmWithPasskey(
  context: Context,
  member: Member,
  credential: contract.Assertion,
  { reqId, network }: RequestSource,
) {
  const { db, clock, log, realtime } = context;
  const session = await verifyAssertion(context, "confirm", member.sessionId, credential)
    .then(({ passkey, counter }) =>
      inTransaction(db, async (tx) => {
        await lockSession(tx, member);
        if (passkey.user_id !== member.id) throw refuse("M422passkey");
        await usePasskey(context, tx, passkey, counter);
        const now = clock.now();
        return renewSession(context, tx, member.sessionId, { confirmed_at: now, passkey_at: now });
      }),
    )
    .catch((error: unknown) => {
      log.info("confirmation-failed", { reqId, network, user: member.id, with: "passkey" });
      throw error;
    });
  realtime.sessionRotated(member.sessionId, sha256(session.sessionId));
  return session;
}

type StoredPasskey = NonNullable<Awaited<ReturnType<typeof store.findPasskey>>>;

/** The passkey that has signed the challenge; what its counter means is decided by usePasskey(). */
async function verifyAssertion(
  context: Context,
  purpose: store.ChallengePurpose,
  sessionId: string,
  response: contract.Assertion,
): Promise<{ passkey: StoredPasskey; counter: number }> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const passkey = await store.findPasskey(context.db, response.id);
  if (!passkey) throw refuse("M422passkey");
  // The library does not compare it.
  const { userHandle } = response.response;
  const expected = Buffer.from(createUserHandle(passkey.user_id)).toString("base64url");
  if (userHandle && userHandle !== expected) throw refuse("M422passkey");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    // Our own check of the counter comes after the signature, and in the transaction.
    credential: { id: passkey.credential_id, publicKey: Uint8Array.from(passkey.public_key), counter: 0 },
    ...expectations(context, purpose, sessionId),
  }).catch(refuseCredential);
  if (!verified) throw refuse("M422passkey");
  return { passkey, counter: authenticationInfo.newCounter };
}

/** Refuses a passkey that was removed meanwhile, or whose counter did not rise: then there are two of it. */
async function usePasskey(
  { clock, log }: Context,
  tx: Parameters<typeof store.updatePasskeyUse>[0],
  { id, user_id }: StoredPasskey,
  counter: number,
): Promise<void> {
  if (await store.updatePasskeyUse(tx, id, counter, clock.now())) return;
  log.warn("passkey-refused", { user: user_id, counter });
  throw refuse("M422passkey");
}

/** Saves a new challenge for one use by this session. */
async function saveChallenge({ db, clock }: Context, purpose: store.ChallengePurpose, sessionId: string) {
  const challenge = randomBytes(32);
  const id = sha256(challenge.toString("base64url"));
  await store.createChallenge(db, {
    id,
    purpose,
    session_id: sessionId,
    expires_at: clock.now() + challengeLifetimeMs,
  });
  return Uint8Array.from(challenge);
}

function expectations({ db, config, clock }: Context, purpose: store.ChallengePurpose, sessionId: string) {
  return {
    expectedChallenge: (challenge: string) =>
      store.claimChallenge(db, { id: sha256(challenge), purpose, session_id: sessionId }, clock.now()),
    expectedOrigin: config.appUrl.origin,
    expectedRPID: config.appUrl.hostname,
    requireUserVerification: true,
  };
}

/** The library throws plain errors for whatever is wrong with a response, and passes on those of the database. */
function refuseCredential(error: unknown): never {
  throw isUnavailable(error) ? error : refuse("M422passkey");
}

function describeCredential({ credential_id, transports }: { credential_id: string; transports: string }) {
  return { id: credential_id, transports: JSON.parse(transports) as string[] };
}

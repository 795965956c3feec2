import { randomBytes } from "node:crypto";

import type { BodyOf } from "#contract/endpoint.ts";
import * as contract from "#contract/passkeys.ts";
import { findViolatedConstraint, inTransaction, isUnavailable } from "#server/db/connect.ts";
import { lockSession } from "#server/features/members/session-actions.ts";
import * as memberStore from "#server/features/members/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import { checkRecentPasskey, type Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { RequestSource } from "#server/platform/http/request-log.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { formatDateTime } from "#server/platform/mail/notice.ts";
import { toIso } from "#server/time.ts";
import * as eventStore from "./event-store.ts";
import {
  canLogIn,
  checkPasswordLogin,
  createSession,
  type LoginClient,
  minFailureMs,
  renewSession,
  type StartedSession,
} from "./login-actions.ts";
import * as store from "./passkey-store.ts";

/** EdDSA, ES256 and RS256 as COSE ids. The library's defaults include algorithms that are experimental in Node. */
const supportedAlgorithmIDs = [-8, -7, -257];

/** In base64url; WebAuthn allows 1023 bytes. */
const maxCredentialIdLength = 1364;

/** Loads the library on first use, because loading takes as long as the rest of the server's start. */
const loadWebAuthn = () => import("@simplewebauthn/server");

export async function listOwnPasskeys({ db }: Pick<Context, "db">, { id }: Member): Promise<contract.Passkey[]> {
  return (await store.listPasskeys(db, id)).map((passkey) => ({
    id: passkey.id,
    name: passkey.name,
    created_at: toIso(passkey.created_at),
    last_used_at: toIso(passkey.last_used_at),
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
    timeout: store.challengeLifetimeMs,
    supportedAlgorithmIDs,
    excludeCredentials: passkeys.map(describeCredential),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options: { ...options } };
}

/** Returns the WebAuthn user handle, which a passkey stores. */
const createUserHandle = (id: number) => new TextEncoder().encode(String(id));

/**
 * Requires that an administrator with passkeys has used one recently, if ADMIN_PASSKEY is set; a password is not
 * enough.
 */
function checkMayAdd({ config, clock }: Pick<Context, "config" | "clock">, member: Member, count: number): void {
  if (count >= contract.maxPasskeys) throw refuse("tooManyPasskeys");
  if (config.adminPasskey && count > 0 && member.permissions.includes("admin")) checkRecentPasskey(member, clock.now());
}

export async function addPasskey(
  context: Context,
  member: Member,
  { credential: response, name }: BodyOf<typeof contract.addPasskey>,
  { device }: RequestSource,
): Promise<void> {
  const { config, clock, log } = context;
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
  if (!registrationInfo) throw refuse("passkeyRejected");
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  if (id.length > maxCredentialIdLength) throw refuse("passkeyRejected");
  const now = clock.now();
  await change(context, member.id, async (tx, say) => {
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
    await eventStore.createAccountEvent(tx, { user_id: member.id, at: now, kind: "passkey-added", device });
    const at = formatDateTime(now, config.timeZone);
    const message = {
      recipient: member.email,
      subject: "Du hast einen neuen Passkey",
      paragraphs: [`am ${at} kam ein Passkey zu deinem Account. Mit ihm kann man sich ohne Passwort anmelden.`],
      closing: "Du warst das nicht? Dann setze dein Passwort zurück und sag eurer Verwaltung Bescheid.",
    };
    await say.mail(message);
  }).catch((error: unknown) => {
    throw findViolatedConstraint(error) === null ? error : refuse("passkeyRejected");
  });
  log.info("passkey-added", { user: member.id });
}

/** Removes the attestation, which was not requested; the library would fetch URLs from its certificates. */
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

export async function renamePasskey(
  { db }: Pick<Context, "db">,
  member: Member,
  id: number,
  name: string,
): Promise<void> {
  if (!(await store.updatePasskeyName(db, member.id, id, name))) throw refuse("notFound");
}

export async function removePasskey(
  { db, config, clock, log }: Pick<Context, "db" | "config" | "clock" | "log">,
  member: Member,
  id: number,
  { device }: RequestSource,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockSession(tx, member);
    if (!(await store.deletePasskey(tx, member.id, id))) throw refuse("notFound");
    const isLast = (await store.listPasskeys(tx, member.id)).length === 0;
    if (isLast && config.adminPasskey && member.permissions.includes("admin")) throw refuse("lastPasskey");
    if (!(await canLogIn(tx, member.id, config))) throw refuse("onlyLogin");
    await eventStore.createAccountEvent(tx, { user_id: member.id, at: clock.now(), kind: "passkey-removed", device });
  });
  log.info("passkey-removed", { user: member.id });
}

/** Returns the same options for every account, so that they do not reveal who has passkeys. `sessionId` is a hash. */
export async function createLoginOptions(context: Context, sessionId: string) {
  checkPasswordLogin(context.config);
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
    timeout: store.challengeLifetimeMs,
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
  const { config, clock, log } = context;
  checkPasswordLogin(config);
  const earliest = performance.now() + minFailureMs;
  try {
    const { passkey, counter } = await verifyAssertion(context, "login", sessionId, credential);
    const { user, ...session } = await change(context, null, async (tx, say) => {
      if ((await memberStore.lockUser(tx, passkey.user_id))?.disabled_at !== null) throw refuse("passkeyRejected");
      await usePasskey(context, tx, passkey, counter);
      const created = await createSession(context, tx, say, passkey.user_id, rememberUser, client, "passkey-login");
      return { ...created, user: memberStore.toUser((await memberStore.findUserById(tx, passkey.user_id))!) };
    });
    log.info("login", { user: user.id, with: "passkey" });
    return { user, ...session };
  } catch (error) {
    const { reqId, network } = client.source;
    log.info("login-failed", { reqId, network, with: "passkey" });
    await clock.sleep(Math.max(0, earliest - performance.now()));
    throw error;
  }
}

/** Confirms the session instead of the password, and also satisfies ADMIN_PASSKEY. */
export async function confirmWithPasskey(
  context: Context,
  member: Member,
  credential: contract.Assertion,
  { reqId, network }: RequestSource,
) {
  const { db, clock, log } = context;
  const session = await verifyAssertion(context, "confirm", member.sessionId, credential)
    .then(({ passkey, counter }) =>
      inTransaction(db, async (tx) => {
        await lockSession(tx, member);
        if (passkey.user_id !== member.id) throw refuse("passkeyRejected");
        await usePasskey(context, tx, passkey, counter);
        const now = clock.now();
        return renewSession(context, tx, member.sessionId, { confirmed_at: now, passkey_at: now });
      }),
    )
    .catch((error: unknown) => {
      log.info("confirmation-failed", { reqId, network, user: member.id, with: "passkey" });
      throw error;
    });
  return session;
}

type StoredPasskey = NonNullable<Awaited<ReturnType<typeof store.findPasskey>>>;

/** Returns the passkey that signed the challenge. The caller must check the new counter with usePasskey(). */
async function verifyAssertion(
  context: Context,
  purpose: store.ChallengePurpose,
  sessionId: string,
  response: contract.Assertion,
): Promise<{ passkey: StoredPasskey; counter: number }> {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const passkey = await store.findPasskey(context.db, response.id);
  if (!passkey) throw refuse("passkeyRejected");
  // The library does not compare the user handle with the passkey's member.
  const { userHandle } = response.response;
  const expected = Buffer.from(createUserHandle(passkey.user_id)).toString("base64url");
  if (userHandle && userHandle !== expected) throw refuse("passkeyRejected");
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    // 0 disables the library's check; usePasskey() checks the counter in the transaction.
    credential: { id: passkey.credential_id, publicKey: Uint8Array.from(passkey.public_key), counter: 0 },
    ...expectations(context, purpose, sessionId),
  }).catch(refuseCredential);
  if (!verified) throw refuse("passkeyRejected");
  return { passkey, counter: authenticationInfo.newCounter };
}

/** Refuses a removed passkey, and one whose counter did not increase, which indicates a copy. */
async function usePasskey(
  { clock, log }: Pick<Context, "clock" | "log">,
  tx: Parameters<typeof store.updatePasskeyUse>[0],
  { id, user_id }: StoredPasskey,
  counter: number,
): Promise<void> {
  if (await store.updatePasskeyUse(tx, id, counter, clock.now())) return;
  log.warn("passkey-refused", { user: user_id, counter });
  throw refuse("passkeyRejected");
}

/** Binds the new challenge to this session; it can be used only once. */
async function saveChallenge(
  { db, clock }: Pick<Context, "db" | "clock">,
  purpose: store.ChallengePurpose,
  sessionId: string,
) {
  const challenge = randomBytes(32);
  const id = sha256(challenge.toString("base64url"));
  await store.createChallenge(db, {
    id,
    purpose,
    session_id: sessionId,
    expires_at: clock.now() + store.challengeLifetimeMs,
  });
  return Uint8Array.from(challenge);
}

function expectations(
  { db, config, clock }: Pick<Context, "db" | "config" | "clock">,
  purpose: store.ChallengePurpose,
  sessionId: string,
) {
  return {
    expectedChallenge: (challenge: string) =>
      store.claimChallenge(db, { id: sha256(challenge), purpose, session_id: sessionId }, clock.now()),
    expectedOrigin: config.appUrl.origin,
    expectedRPID: config.appUrl.hostname,
    requireUserVerification: true,
  };
}

/**
 * Converts errors to a refusal, because the library throws plain errors for invalid responses. Rethrows errors of the
 * database.
 */
function refuseCredential(error: unknown): never {
  throw isUnavailable(error) ? error : refuse("passkeyRejected");
}

function describeCredential({ credential_id, transports }: { credential_id: string; transports: string }) {
  return { id: credential_id, transports: JSON.parse(transports) as string[] };
}

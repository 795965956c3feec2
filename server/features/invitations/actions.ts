import type { BodyOf, Permission } from "#contract/endpoint.ts";
import { fieldText } from "#contract/errors.ts";
import type { register as registerEndpoint } from "#contract/invitations.ts";
import { inTransaction, violatedUnique } from "#server/db/connect.ts";
import { checkNewPassword } from "#server/features/members/actions.ts";
import { insertUser, isEmailTaken, isUnameTaken } from "#server/features/members/store.ts";
import { refuseFields } from "#server/platform/http/refuse.ts";
import { sha256 } from "#server/platform/http/session-cookie.ts";
import { hashPassword } from "#server/platform/passwords.ts";
import type { Platform } from "#server/platform/platform.ts";
import { day, newInvitationToken, normaliseToken } from "./rules.ts";
import { claimInvitation, insertInvitation, isInvitationUsable } from "./store.ts";

/**
 * Turns an invitation into a member. Taking the invitation and creating the member is one transaction: a name that is
 * taken gives the invitation back. Whether names are taken is told only to those who hold a valid invitation.
 */
export async function register(platform: Platform, form: BodyOf<typeof registerEndpoint>): Promise<void> {
  const { db, config, clock, log } = platform;
  const tokenHash = sha256(normaliseToken(form.token));
  const password = await checkNewPassword(config, form, form);
  const isUsable = await isInvitationUsable(db, tokenHash, clock.now());
  const errors = {
    ...(!isUsable && { token: [fieldText("L-token", "token")] }),
    ...(password.length > 0 && { password }),
  };
  if (Object.keys(errors).length > 0) throw refuseFields(errors);

  const hash = await hashPassword(form.password);
  const id = await inTransaction(db, async (tx) => {
    const permissions = await claimInvitation(tx, tokenHash, clock.now());
    if (!permissions) throw refuseFields({ token: [fieldText("L-token", "token")] });
    const taken = {
      ...((await isUnameTaken(tx, form.uname)) && { uname: [fieldText("V-uniq", "uname")] }),
      ...((await isEmailTaken(tx, form.email)) && { email: [fieldText("V-uniq", "email")] }),
    };
    if (Object.keys(taken).length > 0) throw refuseFields(taken);
    const { uname, name, email } = form;
    return insertUser(tx, { uname, name, email, password_hash: hash, permissions, created_at: clock.now() });
  }).catch((error: unknown) => {
    // On PostgreSQL two registrations can pass the check side by side; the index then decides.
    const unique = violatedUnique(error);
    if (unique === null) throw error;
    const field = unique.includes("email") ? "email" : "uname";
    throw refuseFields({ [field]: [fieldText("V-uniq", field)] });
  });
  log.info("registered", { user: id });
}

export interface Invitation {
  readonly token: string;
  readonly url: string;
  readonly expiresAt: number;
}

/** Makes an invitation. Its token is shown once, here; the database keeps only a hash. */
export async function createInvitation(
  { db, config, clock }: Pick<Platform, "db" | "config" | "clock">,
  {
    permissions,
    days,
    uses,
    createdBy,
  }: { permissions: readonly Permission[]; days: number; uses: number; createdBy: number | null },
): Promise<Invitation> {
  const token = newInvitationToken();
  const now = clock.now();
  const expiresAt = now + days * day;
  await insertInvitation(db, {
    token_hash: sha256(normaliseToken(token)),
    permissions,
    created_by: createdBy,
    created_at: now,
    expires_at: expiresAt,
    uses_left: uses,
  });
  return { token, url: new URL(`/register?token=${token}`, config.appUrl).href, expiresAt };
}

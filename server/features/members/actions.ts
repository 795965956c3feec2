import type { FieldProblem } from "#contract/errors.ts";
import { memberChanged } from "#contract/members.ts";
import { type Db, findViolatedConstraint } from "#server/db/connect.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField, refuseFields } from "#server/platform/http/refusal.ts";
import type { Say } from "#server/platform/say.ts";
import { isBreached } from "#server/platform/security/breached-passwords.ts";
import { checkPassword } from "./rules.ts";
import * as store from "./store.ts";

/** Returns no problems if the password and its repetition are valid. */
export async function checkNewPassword(
  { config: { passwordMinLength, hibp }, group }: Pick<Context, "config" | "group">,
  form: { readonly password: string; readonly password_confirmation: string },
  person: { readonly uname: string; readonly name: string; readonly email: string },
): Promise<FieldProblem[]> {
  const { group_name: groupName, group_short: groupShort } = await group.settings();
  const problems = checkPassword(form.password, passwordMinLength, { ...person, groupName, groupShort });
  if (form.password_confirmation.normalize("NFC") !== form.password) problems.push({ text: "confirmationDiffers" });
  if (hibp && problems.length === 0 && (await isBreached(form.password))) problems.push({ text: "leaked" });
  return problems;
}

/** Refuses values that a member other than `exceptId` has. */
export async function checkNotTaken(
  tx: Db,
  form: { readonly uname: string; readonly email: string },
  exceptId = 0,
): Promise<void> {
  const taken = await store.listTakenFields(tx, form, exceptId);
  if (taken.length === 0) return;
  throw refuseFields(Object.fromEntries(taken.map((field) => [field, [{ text: "taken" as const }]])));
}

/**
 * Converts a unique violation, because on PostgreSQL two concurrent requests can pass checkNotTaken(). Returns other
 * errors unchanged.
 */
export function toTakenRefusal(error: unknown): Error {
  const index = findViolatedConstraint(error);
  return index === null ? (error as Error) : refuseField(index.includes("email") ? "email" : "uname", "taken");
}

/**
 * Locks the enabled administrators, whose ids are `admins`. Refuses with 403 if `by` is neither one of them nor `null`
 * (the command line).
 */
export function changeAsAdmin<Result>(
  context: Pick<Context, "db" | "say">,
  by: Actor,
  work: (tx: Db, say: Say, admins: readonly number[]) => Promise<Result>,
): Promise<Result> {
  return change(context, by, async (tx, say) => {
    const admins = await store.lockAdmins(tx);
    if (by !== null && !admins.includes(by)) throw refuse("forbidden");
    return work(tx, say, admins);
  });
}

/** Makes the member's open pages refetch. Call this in the transaction of the change. */
export async function publishMemberChange(say: Say, userId: number): Promise<void> {
  await say.event(memberChanged, {}, userId);
}

export async function markNewsSeen(context: Pick<Context, "db" | "say">, member: Member, seen: number): Promise<void> {
  await change(context, member.id, async (tx, say) => {
    await store.updateNewsSeen(tx, member.id, seen);
    await publishMemberChange(say, member.id);
  });
}

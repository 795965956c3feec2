import type { FieldProblem } from "#contract/errors.ts";
import { memberChanged } from "#contract/members.ts";
import { type Db, findViolatedConstraint, inTransaction } from "#server/db/connect.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import { isBreached } from "#server/platform/breached-passwords.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse, refuseField, refuseFields } from "#server/platform/http/refusal.ts";
import { checkPassword } from "./rules.ts";
import * as store from "./store.ts";

/** What is wrong with a new password and its repetition. */
export async function checkNewPassword(
  { config: { passwordMinLength, hibp }, group }: Pick<Context, "config" | "group">,
  form: { readonly password: string; readonly password_confirmation: string },
  person: { readonly uname: string; readonly name: string; readonly email: string },
): Promise<FieldProblem[]> {
  const { group_name: groupName, group_short: groupShort } = await group.settings();
  const problems = checkPassword(form.password, passwordMinLength, { ...person, groupName, groupShort });
  if (form.password_confirmation.normalize("NFC") !== form.password) problems.push({ text: "V-conf" });
  if (hibp && problems.length === 0 && (await isBreached(form.password))) problems.push({ text: "V-leak" });
  return problems;
}

/** Refuses a uname or address that another member than `exceptId` has. */
export async function checkNotTaken(
  tx: Db,
  form: { readonly uname: string; readonly email: string },
  exceptId = 0,
): Promise<void> {
  const taken = await store.listTakenFields(tx, form, exceptId);
  if (taken.length === 0) return;
  throw refuseFields(Object.fromEntries(taken.map((field) => [field, [{ text: "V-uniq" as const }]])));
}

/**
 * What to throw where a member could not be written: on PostgreSQL two requests at once can pass checkNotTaken(), and the unique
 * index refuses one of them. Any other error stays as it is.
 */
export function toTakenRefusal(error: unknown): Error {
  const index = findViolatedConstraint(error);
  return index === null ? (error as Error) : refuseField(index.includes("email") ? "email" : "uname", "V-uniq");
}

/**
 * Runs a change by an administrator in a transaction; 403 where `by` is none any more. `admins` are the ids of those that are enabled:
 * until the transaction ends no other one changes who they are, so that `by` still has the permission when it commits.
 */
export function inAdminChange<Result>(
  db: Db,
  by: Actor,
  work: (tx: Db, admins: readonly number[]) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (tx) => {
    const admins = await store.lockAdmins(tx);
    if (by !== null && !admins.includes(by)) throw refuse("M403");
    return work(tx, admins);
  });
}

/** The member's open pages load again who they belong to. */
export function publishMemberChange(realtime: Pick<Context["realtime"], "publish">, userId: number): void {
  realtime.publish(memberChanged.name, `${memberChanged.channel}${userId}`, {});
}

import { fieldText } from "#contract/errors.ts";
import type { Db } from "#server/db/connect.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import { isBreached } from "#server/platform/breached-passwords.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import { checkPassword } from "./rules.ts";
import { lockAdmins } from "./store.ts";

/** What is wrong with a new password and its repetition, as sentences. */
export async function checkNewPassword(
  { config: { passwordMinLength, hibp }, group }: Pick<Context, "config" | "group">,
  form: { readonly password: string; readonly password_confirmation: string },
  person: { readonly uname: string; readonly name: string; readonly email: string },
): Promise<string[]> {
  const { group_name: groupName, group_short: groupShort } = await group.settings();
  const faults = checkPassword(form.password, passwordMinLength, { ...person, groupName, groupShort });
  if (form.password_confirmation.normalize("NFC") !== form.password) faults.push(fieldText("V-conf", "password"));
  if (hibp && faults.length === 0 && (await isBreached(form.password))) faults.push(fieldText("V-leak", "password"));
  return faults;
}

/**
 * The enabled administrators' ids; 403 where `by` is none of them any more. From here to the end of the transaction nobody
 * else changes who they are, so what `by` does comes either before losing the Verwaltung or not at all.
 */
export async function lockAdminsFor(tx: Db, by: Actor): Promise<number[]> {
  const admins = await lockAdmins(tx);
  if (by !== null && !admins.includes(by)) throw refuse("M403");
  return admins;
}

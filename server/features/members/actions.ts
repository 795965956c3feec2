import { fieldText } from "#contract/errors.ts";
import { isBreached } from "#server/platform/breached-passwords.ts";
import type { Platform } from "#server/platform/platform.ts";
import { checkPassword } from "./rules.ts";

/** What is wrong with a new password and its repetition, as sentences. */
export async function checkNewPassword(
  { config: { passwordMinLength, hibp }, group }: Pick<Platform, "config" | "group">,
  form: { readonly password: string; readonly password_confirmation: string },
  person: { readonly uname: string; readonly name: string; readonly email: string },
): Promise<string[]> {
  const { group_name: groupName, group_short: groupShort } = await group.words();
  const faults = checkPassword(form.password, passwordMinLength, { ...person, groupName, groupShort });
  if (form.password_confirmation.normalize("NFC") !== form.password) faults.push(fieldText("V-conf", "password"));
  if (hibp && faults.length === 0 && (await isBreached(form.password))) faults.push(fieldText("V-leak", "password"));
  return faults;
}

import * as z from "zod/mini";

import { countCharacters, readableText, requiredText } from "./fields.ts";
import { field } from "./labels.ts";

/** What members type about themselves, with the rules that form and server both apply. */

const unameLimits = { min: 2, max: 64 };
const nameMax = 64;
const emailMax = 254;

/** The scripts in everyday use (UTS 31, table 5); those that are written together count as one. */
const scripts =
  "Latin Cyrillic Greek Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao " +
  "Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan Han,Bopomofo Han,Hiragana,Katakana Han,Hangul";

/** Whether all letters are of one script, so that none of them passes for one of another. */
function isOfOneScript(text: string): boolean {
  return scripts.split(" ").some((together) => {
    const letters = together.split(",").map((script) => `\\p{scx=${script}}`);
    return new RegExp(`^[${letters.join("")}\\p{Mn}0-9._-]+$`, "u").test(text);
  });
}

export const uname = field(
  "Benutzername",
  requiredText.check(
    z.refine((text) => countCharacters(text) >= unameLimits.min, { error: "V-min", params: unameLimits, abort: true }),
    z.refine((text) => countCharacters(text) <= unameLimits.max, { error: "V-max", params: unameLimits, abort: true }),
    // Some letters and marks are invisible (DI): with them two names would look the same.
    z.regex(/^((?!\p{DI})[\p{L}\p{M}\p{Script=Latin}0-9._-])+$/u, { error: "V-dash", abort: true }),
    z.refine(isOfOneScript, "V-script"),
  ),
);

export const memberName = field("Name", readableText(nameMax));

export const email = field(
  "E-Mail-Adresse",
  requiredText.check(
    z.refine((text) => text.length <= emailMax, { error: "V-max", params: { max: emailMax }, abort: true }),
    z.email("V-mail"),
  ),
);

/** Longest password in characters after composing; the body limit bounds the bytes. */
export const passwordMax = 256;

/** A new password; its minimum length is the operator's setting and, like the list of leaked ones, checked by the server. */
export const newPassword = field(
  "Passwort",
  z.string().check(
    z.normalize("NFC"),
    z.minLength(1, { abort: true }),
    z.refine((text) => countCharacters(text) <= passwordMax, { error: "V-max", params: { max: passwordMax } }),
  ),
);

/** The new password once more; missing is the same as empty. */
export const passwordConfirmation = field("Passwort bestätigen", z._default(z.string(), ""));

/** The token of an invitation or of a reset link, as somebody pastes it. */
export const pastedToken = field("Anmelde-Token", z.string().check(z.trim(), z.minLength(1)));

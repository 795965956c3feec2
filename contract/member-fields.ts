import * as z from "zod/mini";

import { countCharacters, readableText, requiredText } from "./fields.ts";
import { field } from "./labels.ts";

/**
 * Schemas of the account fields that members enter. The forms and the server validate with the same
 * schemas.
 */

const unameLimits = { min: 2, max: 64 };
const nameMax = 64;
const emailMax = 254;

/**
 * Scripts in everyday use (UTS 31, table 5). Each group separated by spaces counts as one script; a
 * comma joins scripts that one language mixes.
 */
const scripts =
  "Latin Cyrillic Greek Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao " +
  "Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan Han,Bopomofo Han,Hiragana,Katakana Han,Hangul";

/**
 * Returns `true` if all letters belong to one script. Otherwise a name could imitate another one,
 * e.g. with Cyrillic letters that look like Latin ones.
 */
function isOfOneScript(text: string): boolean {
  return scripts.split(" ").some((together) => {
    const letters = together.split(",").map((script) => `\\p{scx=${script}}`);
    return new RegExp(`^[${letters.join("")}\\p{Mn}0-9._-]+$`, "u").test(text);
  });
}

export const uname = field(
  "Benutzername",
  requiredText.check(
    z.refine((text) => countCharacters(text) >= unameLimits.min, {
      error: "tooShort",
      params: unameLimits,
      abort: true,
    }),
    z.refine((text) => countCharacters(text) <= unameLimits.max, {
      error: "tooLong",
      params: unameLimits,
      abort: true,
    }),
    // Excludes invisible characters (Unicode property Default_Ignorable), which would make two
    // different names look the same.
    z.regex(/^((?!\p{DI})[\p{L}\p{M}\p{Script=Latin}0-9._-])+$/u, { error: "invalidCharacters", abort: true }),
    z.refine(isOfOneScript, "mixedScripts"),
  ),
);

export const memberName = field("Name", readableText(nameMax));

export const email = field(
  "E-Mail-Adresse",
  requiredText.check(
    z.refine((text) => text.length <= emailMax, { error: "tooLong", params: { max: emailMax }, abort: true }),
    z.email("notAnEmailAddress"),
  ),
);

/** Maximum length in characters after Unicode normalization. */
export const passwordMax = 256;

/**
 * A new password. The server also checks the configured minimum length and a list of leaked
 * passwords.
 */
export const newPassword = field(
  "Passwort",
  z.string().check(
    z.normalize("NFC"),
    z.minLength(1, { abort: true }),
    z.refine((text) => countCharacters(text) <= passwordMax, { error: "tooLong", params: { max: passwordMax } }),
  ),
);

/** The repetition of the new password; counts as empty if missing. */
export const passwordConfirmation = field("Passwort bestätigen", z._default(z.string(), ""));

/**
 * The token of an invitation or reset link. Trimmed, because a pasted token may be surrounded by
 * spaces.
 */
export const pastedToken = field("Anmelde-Token", z.string().check(z.trim(), z.minLength(1)));

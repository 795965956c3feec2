import * as z from "zod/mini";

import { countCharacters, readableText, requiredText } from "./fields.ts";
import { field } from "./labels.ts";

/** The account fields that members enter; form and server apply the same rules. */

const unameLimits = { min: 2, max: 64 };
const nameMax = 64;
const emailMax = 254;

/** Scripts in everyday use (UTS 31, table 5); scripts that are written together count as one. */
const scripts =
  "Latin Cyrillic Greek Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao " +
  "Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan Han,Bopomofo Han,Hiragana,Katakana Han,Hangul";

/** Returns `true` if all letters belong to one script, so that none imitates a letter of another. */
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
    // Excludes invisible letters and marks (DI), with which two names would look the same.
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

/** Maximum length in characters after normalisation; the body limit bounds the bytes. */
export const passwordMax = 256;

/** A new password. The server also checks the operator's minimum length and the list of leaked passwords. */
export const newPassword = field(
  "Passwort",
  z.string().check(
    z.normalize("NFC"),
    z.minLength(1, { abort: true }),
    z.refine((text) => countCharacters(text) <= passwordMax, { error: "tooLong", params: { max: passwordMax } }),
  ),
);

/** The repeated new password; missing counts as empty. */
export const passwordConfirmation = field("Passwort bestätigen", z._default(z.string(), ""));

/** The token of an invitation or reset link, trimmed because it may be pasted. */
export const pastedToken = field("Anmelde-Token", z.string().check(z.trim(), z.minLength(1)));

import * as z from "zod/mini";

import { field } from "./labels.ts";

/** The fields that several endpoints share, with the rules that form and server both apply. */

const unameLimits = { min: 2, max: 64 };
const nameMax = 64;
const emailMax = 254;

/** The scripts in everyday use (UTS 31, table 5); those that are written together count as one. */
const scripts =
  "Latin Cyrillic Greek Arabic Armenian Bengali Devanagari Ethiopic Georgian Gujarati Gurmukhi Hebrew Kannada Khmer Lao " +
  "Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan Han,Bopomofo Han,Hiragana,Katakana Han,Hangul";

/** Whether all letters are of one script, so that none of them passes for one of another. */
export function isOfOneScript(text: string): boolean {
  return scripts.split(" ").some((together) => {
    const letters = together.split(",").map((script) => `\\p{scx=${script}}`);
    return new RegExp(`^[${letters.join("")}\\p{Mn}0-9._-]+$`, "u").test(text);
  });
}

/** Control characters, line separators and every invisible formatting character but the joiner that emoji need. */
const invisibleCharacters = /[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}/u;

function countCharacters(text: string): number {
  return [...text].length;
}

/** A required string without surrounding blanks, in Unicode's composed form. */
const requiredText = z.string().check(z.normalize("NFC"), z.trim(), z.minLength(1, { abort: true }));

export const uname = field(
  "Benutzername",
  requiredText.check(
    z.refine((text) => countCharacters(text) >= unameLimits.min, { error: "V-min", params: unameLimits, abort: true }),
    z.refine((text) => countCharacters(text) <= unameLimits.max, { error: "V-max", params: unameLimits, abort: true }),
    z.regex(/^[\p{L}\p{M}\p{Script=Latin}0-9._-]+$/u, { error: "V-dash", abort: true }),
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

/** A required line of at most `max` characters that holds nothing invisible. */
export function readableText(max: number) {
  return requiredText.check(
    z.refine((text) => countCharacters(text) <= max, { error: "V-max", params: { max }, abort: true }),
    z.refine((text) => !invisibleCharacters.test(text), "V-in"),
  );
}

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

/** A password as somebody types it to prove who it is. */
export const currentPassword = field("Passwort", z.string().check(z.minLength(1)));

/** The token of an invitation or of a reset link, as somebody pastes it. */
export const pastedToken = field("Anmelde-Token", z.string().check(z.trim(), z.minLength(1)));

/** The id of a profile picture: 128 random bits, base64url. */
export const pictureId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));

/** The id of a row in a path or query, as a number. */
export const rowId = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/)), z.transform(Number));

/** A whole number within bounds, both of them allowed. */
export function numberBetween({ min, max }: { readonly min: number; readonly max: number }) {
  return z.number().check(
    z.refine(Number.isInteger, { error: "V-in", abort: true }),
    z.refine((number) => number >= min && number <= max, { error: "V-between", params: { min, max } }),
  );
}

/** The reply of a change: a German sentence for the screen. */
export const message = z.object({ message: z.string() });

/** The same where the sentence is always `text`: the handler need not return anything. */
export function fixedMessage(text: string) {
  return z.object({ message: z._default(z.string(), text) });
}

import * as z from "zod/mini";

import { field } from "./labels.ts";

/** The parts that several endpoints share. */

/**
 * Control characters, line separators and every invisible formatting character but the joiner that emoji need; or a whole text of
 * which nothing is seen. U+2800 is an empty pattern of Braille.
 */
const invisibleCharacters = /[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}|^[\p{DI}\p{Z}\u2800]+$/u;

export function countCharacters(text: string): number {
  return [...text].length;
}

/** A required string without surrounding blanks, in Unicode's composed form. */
export const requiredText = z.string().check(z.normalize("NFC"), z.trim(), z.minLength(1, { abort: true }));

/** A required line of at most `max` characters that holds nothing invisible. */
export function readableText(max: number) {
  return requiredText.check(
    z.refine((text) => countCharacters(text) <= max, { error: "V-max", params: { max }, abort: true }),
    z.refine((text) => !invisibleCharacters.test(text), "V-in"),
  );
}

/** A password as somebody types it to prove who it is. */
export const currentPassword = field("Passwort", z.string().check(z.minLength(1)));

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

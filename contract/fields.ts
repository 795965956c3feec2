import * as z from "zod/mini";

import { field } from "./labels.ts";

/** Schemas shared by several endpoints. */

/**
 * Matches control characters, line separators, invisible formatting characters except the
 * zero-width joiner of emoji, and texts without any visible character. U+2800 is the empty Braille
 * pattern.
 */
const invisibleCharacters = /[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}|^[\p{DI}\p{Z}\u2800]+$/u;

export function countCharacters(text: string): number {
  return [...text].length;
}

/** A required string, which the server trims and converts to Unicode normalization form C. */
export const requiredText = z.string().check(z.normalize("NFC"), z.trim(), z.minLength(1, { abort: true }));

/**
 * Returns a schema for a required single line of at most `max` characters, without invisible
 * characters.
 */
export function readableText(max: number) {
  return requiredText.check(
    z.refine((text) => countCharacters(text) <= max, { error: "tooLong", params: { max }, abort: true }),
    z.refine((text) => !invisibleCharacters.test(text), "invalid"),
  );
}

/** The password with which a member logs in or confirms a change. */
export const currentPassword = field("Passwort", z.string().check(z.minLength(1)));

/** The id of a profile picture: 128 random bits in base64url. */
export const pictureId = z.string().check(z.regex(/^[A-Za-z0-9_-]{22}$/));

/** The id of a database row in a path or query; parsed to a number. */
export const rowId = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/)), z.transform(Number));

/** Returns a schema for an integer within inclusive bounds. */
export function numberBetween({ min, max }: { readonly min: number; readonly max: number }) {
  return z.number().check(
    z.refine(Number.isInteger, { error: "invalid", abort: true }),
    z.refine((number) => number >= min && number <= max, { error: "outOfRange", params: { min, max } }),
  );
}

/** A reply with a German sentence that the page shows. */
export const message = z.object({ message: z.string() });

/**
 * Returns a reply schema whose sentence is always `text`, so that the handler need not return it.
 */
export function fixedMessage(text: string) {
  return z.object({ message: z._default(z.string(), text) });
}

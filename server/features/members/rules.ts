import type { FieldProblem } from "#contract/errors.ts";
import type { User } from "#contract/members.ts";
import type { VisibilityChange } from "#contract/presence.ts";
import { isShownWith, type Visibility, type VisiblePlace } from "#contract/visibility.ts";
import { isLeaked } from "#server/platform/security/leaked-passwords.ts";

/** Returns the same key for Unicode compatibility forms, upper and lower case (ß like ss), and composed letters. */
export function normalize(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}

/** Replaces letters of other scripts that look like Latin letters, too. */
export function normalizeUname(uname: string): string {
  const letters = normalize(uname).normalize("NFD");
  return [...letters]
    .map((letter) => latinLookAlikes.get(letter) ?? letter)
    .join("")
    .normalize("NFC");
}

/** Cyrillic and Greek letters, each with the Latin letter that it looks like in lower or upper case. */
const latinLookAlikes = new Map(
  ["аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl", "αa βb εe ζz ηh ιi κk μm νn οo ρp τt υy χx"]
    .flatMap((script) => script.split(" "))
    .map(([other, latin]) => [other!, latin!]),
);

/** A deleted account keeps its row, but without a password. */
export function isDeletedAccount({ password_hash }: { readonly password_hash: string }): boolean {
  return password_hash === "";
}

export function isNamed(
  { disabled_at, visibility }: { readonly disabled_at: number | null; readonly visibility: Visibility },
  place: VisiblePlace,
): boolean {
  return disabled_at === null && isShownWith(visibility, place);
}

/** Columns that instances of 1.0.0 read during an update. */
export function toFormerColumns(visibility: Visibility) {
  const isUnhidden = Number(visibility !== "hidden");
  return { is_shown: isUnhidden, is_paused: Number(visibility !== "visible"), is_mat_shown: isUnhidden };
}

/** Pages of 1.0.0 read the other three fields. */
export function toVisibilityFields(
  visibility: Visibility,
): Pick<User, "visibility" | "is_hidden" | "is_paused" | "is_mat_hidden"> {
  const isHidden = visibility === "hidden" || undefined;
  const isVisible = visibility === "visible";
  return {
    visibility: isVisible ? undefined : visibility,
    is_hidden: isHidden,
    is_paused: !isVisible || undefined,
    is_mat_hidden: isHidden,
  };
}

/** Translates the settings of pages of 1.0.0; missing ones stay as they are. */
export function changeVisibility(current: Visibility = "visible", change: VisibilityChange): Visibility {
  if (change.visibility) return change.visibility;
  const {
    is_shown = current !== "hidden",
    is_paused = current !== "visible",
    is_mat_shown = current !== "hidden",
  } = change;
  if (is_paused && !is_mat_shown) return "hidden";
  return is_shown && !is_paused && is_mat_shown ? "visible" : "quiet";
}

/** Stored as the hash of an account that only has an identity at an OpenID provider. */
export const noPassword = "none";

/** Words that an attacker would try first in a password. */
export interface PasswordContext {
  readonly uname: string;
  readonly name: string;
  readonly email: string;
  readonly groupName: string;
  readonly groupShort: string;
}

/** Characters that must remain of a password without the words of its context. */
const minRemainder = 4;
const minWordLength = 3;

/** Returns no problems if the password is good. The request schema limits the maximum length. */
export function checkPassword(password: string, minLength: number, context: PasswordContext): FieldProblem[] {
  const characters = [...password];
  if (characters.length < minLength) return [{ text: "tooShort", min: minLength }];
  if (isLeaked(password)) return [{ text: "leaked" }];
  if (isSequence(characters) || isMostlyContext(password, context)) return [{ text: "guessable" }];
  return [];
}

/** Detects e.g. "aaaaaaaa", "12345678" and "hgfedcba". */
function isSequence(characters: readonly string[]): boolean {
  const codes = characters.map((character) => character.codePointAt(0)!);
  const step = codes[1]! - codes[0]!;
  return Math.abs(step) <= 1 && codes.every((code, index) => index === 0 || code - codes[index - 1]! === step);
}

function isMostlyContext(password: string, { uname, name, email, groupName, groupShort }: PasswordContext): boolean {
  const folded = normalize(password);
  const words = ["Stammtisch", groupName, groupShort, uname, name, ...name.split(/\s+/), email.split("@")[0] ?? ""];
  const found = words.map(normalize).filter((word) => [...word].length >= minWordLength && folded.includes(word));
  const longestFirst = found.toSorted((one, other) => other.length - one.length);
  const rest = longestFirst.reduce((text, word) => text.replaceAll(word, ""), folded);
  return found.length > 0 && [...rest].length < minRemainder;
}

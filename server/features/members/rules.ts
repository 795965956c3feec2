import type { FieldProblem } from "#contract/errors.ts";
import { isLeaked } from "#server/platform/leaked-passwords.ts";

/** One key for all spellings that look alike: compatibility forms, case (ß like ss) and composition. */
export function normalize(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}

/** The same for user names: letters that look like Latin ones count as those, since a name may consist of nothing else. */
export function normalizeUname(uname: string): string {
  const letters = normalize(uname).normalize("NFD");
  return [...letters]
    .map((letter) => latinLookAlikes.get(letter) ?? letter)
    .join("")
    .normalize("NFC");
}

/** Cyrillic and Greek letters whose small or capital form is a Latin one's. */
const latinLookAlikes = new Map(
  ["аa вb еe кk мm нh оo рp сc тt уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl", "αa βb εe ζz ηh ιi κk μm νn οo ρp τt υy χx"]
    .flatMap((script) => script.split(" "))
    .map(([other, latin]) => [other!, latin!]),
);

/** Whether a member deleted this account: its row stays, without a password. */
export function isDeletedAccount({ password_hash }: { readonly password_hash: string }): boolean {
  return password_hash === "";
}

/** Words that an attacker tries first. */
export interface PasswordContext {
  readonly uname: string;
  readonly name: string;
  readonly email: string;
  readonly groupName: string;
  readonly groupShort: string;
}

/** At least this many characters must remain beside the context words. */
const minRemainder = 4;
const minWordLength = 3;

/** What is wrong with a new password; its upper limit is checked by the contract. */
export function checkPassword(password: string, minLength: number, context: PasswordContext): FieldProblem[] {
  const characters = [...password];
  if (characters.length < minLength) return [{ text: "V-min", min: minLength }];
  if (isLeaked(password)) return [{ text: "V-leak" }];
  if (isSequence(characters) || isMostlyContext(password, context)) return [{ text: "V-guess" }];
  return [];
}

/** "aaaaaaaa", "12345678", "hgfedcba": every step is the same and at most one. */
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

import type { Face } from "#contract/tablet.ts";
import { splitCharacters } from "#web/ui/avatar.tsx";
import { withoutAccents } from "#web/ui/german.ts";

/** A face, or the id of one that is gone. */
export type Place = Face | string;

/** Keeps the order on the screen: new faces come last, and a face that is gone leaves a gap. */
export function arrangeFaces(order: readonly string[], faces: readonly Face[]): readonly Place[] {
  const byId = new Map(faces.map((face) => [face.id, face]));
  const known = new Set(order);
  return [...order.map((id) => byId.get(id) ?? id), ...faces.filter(({ id }) => !known.has(id))];
}

/** Returns the first letters of all words of the names, without accents. */
export function listLetters(faces: readonly Face[]): readonly string[] {
  return [...new Set(faces.flatMap(lettersOf))].toSorted((one, other) => one.localeCompare(other, "de"));
}

export function beginsWith(face: Face, letter: string): boolean {
  return lettersOf(face).includes(letter);
}

function lettersOf({ name }: Face): string[] {
  const words = name.split(/[\s-]+/u).flatMap((word) => splitCharacters(word).slice(0, 1));
  return words.map((letter) => withoutAccents(letter).toLocaleUpperCase("de"));
}

/** Returns pixels of a face. */
export function faceSize(count: number): number {
  return count <= 8 ? 144 : count <= 20 ? 120 : 96;
}

/** A tap that its tablet can still undo. */
export interface Receipt {
  readonly key: string;
  readonly face: Face;
  readonly kind: "0,0" | null;
  readonly isUndone: boolean;
  /** By `performance.now()`. */
  readonly shownAt: number;
}

/** Puts a receipt into a free place, otherwise in place of the oldest; the others stay where they are. */
export function addReceipt(places: readonly (Receipt | null)[], receipt: Receipt): readonly (Receipt | null)[] {
  const times = places.map((place) => place?.shownAt ?? -Infinity);
  return places.with(times.indexOf(Math.min(...times)), receipt);
}

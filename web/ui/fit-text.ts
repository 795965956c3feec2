import { splitCharacters } from "./characters.ts";

/** Smallest font size in px before a text is split or truncated. */
const smallestText = 40;

/**
 * Fits a text into `widest` px: reduces the font size, then splits the text into two lines, then
 * truncates it. `measure` returns a text's width at a font size of 1 px.
 */
export function fitText(
  text: string,
  { size, widest }: { size: number; widest: number },
  measure: (text: string) => number,
): { size: number; lines: readonly string[] } {
  const largest = (lines: readonly string[]): number =>
    Math.floor(Math.min(size, ...lines.map((line) => widest / measure(line))));
  if (largest([text]) >= smallestText) return { size: largest([text]), lines: [text] };
  const lines = halves(text).map((line) => shorten(line, (shorter) => measure(shorter) * smallestText <= widest));
  return { size: largest(lines), lines };
}

/** Splits a text into two parts of similar length, between words if possible. */
function halves(text: string): string[] {
  const middle = text.length / 2;
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index);
  const nearest = spaces.toSorted((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0];
  if (nearest !== undefined) return [text.slice(0, nearest), text.slice(nearest + 1)];
  const characters = splitCharacters(text);
  const half = Math.ceil(characters.length / 2);
  return [`${characters.slice(0, half).join("")}-`, characters.slice(half).join("")];
}

function shorten(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const characters = splitCharacters(text);
  while (characters.length > 1 && !fits(`${characters.join("")}…`)) characters.pop();
  return `${characters.join("")}…`;
}

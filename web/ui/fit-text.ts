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

/** Share of the font size that a line takes above and below its baseline; emoji take the most. */
export const lineBox = { above: 0.95, below: 0.25 } as const;
/** Pixels between two texts of a stack. */
const gap = 20;

interface StackedLine<Text> {
  readonly text: Text;
  readonly line: string;
  readonly size: number;
  /** Height of the baseline in px. */
  readonly y: number;
}

/**
 * Fits texts below each other, so that no line overlaps another, however many lines a text takes.
 * `anchor` is the baseline of the first or of the last line.
 */
export function stackTexts<Text extends { text: string; size: number; widest: number }>(
  texts: readonly Text[],
  anchor: { readonly first: number } | { readonly last: number },
  measure: (line: string, text: Text) => number,
): readonly StackedLine<Text>[] {
  const stack: StackedLine<Text>[] = [];
  for (const text of texts) {
    const { size, lines } = fitText(text.text, text, (line) => measure(line, text));
    for (const [index, line] of lines.entries()) {
      const above = stack.at(-1);
      const space = index === 0 ? gap : 0;
      const y = above ? above.y + above.size * lineBox.below + space + size * lineBox.above : 0;
      stack.push({ text, line, size, y });
    }
  }
  const offset = "first" in anchor ? anchor.first : anchor.last - (stack.at(-1)?.y ?? 0);
  return stack.map((line) => ({ ...line, y: line.y + offset }));
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

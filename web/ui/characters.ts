const segmenter = new Intl.Segmenter("de");

/**
 * Splits a text into characters as people count them: an emoji of several code points is one
 * character.
 */
export function splitCharacters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Piece of text with a single format: plain, bold or code. */
export interface Span {
  readonly kind: "text" | "strong" | "code";
  readonly text: string;
}

interface Picture {
  readonly name: string;
  readonly text: string;
}

export type Block =
  | { readonly kind: "paragraph"; readonly spans: readonly Span[] }
  | { readonly kind: "list"; readonly items: readonly (readonly Span[])[] };

/** Second-level heading of the guide with the content below it. */
export interface Section {
  readonly heading: string;
  readonly picture: Picture | undefined;
  readonly blocks: readonly Block[];
}

/**
 * Parses the subset of Markdown that docs/members.de.md uses: a title, an introduction, and sections with pictures, lists and
 * paragraphs.
 */
export function parseGuide(markdown: string): { title: string; introduction: Block[]; sections: Section[] } {
  const [first = "", ...sections] = markdown.trim().split("\n## ");
  const [title = "", ...introduction] = splitBlocks(first);
  return {
    title: title.replace("# ", ""),
    introduction: introduction.map(parseBlock),
    sections: sections.map(parseSection),
  };
}

function parseSection(text: string): Section {
  const [heading = "", ...parts] = splitBlocks(text);
  const found = /^!\[(.+)\]\(pictures\/(.+)\)$/.exec(parts[0] ?? "");
  if (!found) return { heading, picture: undefined, blocks: parts.map(parseBlock) };
  const picture: Picture = { text: found[1]!, name: found[2]! };
  return { heading, picture, blocks: parts.slice(1).map(parseBlock) };
}

function splitBlocks(text: string): string[] {
  return text.trim().split(/\n{2,}/);
}

function parseBlock(part: string): Block {
  if (part.startsWith("- ")) return { kind: "list", items: part.slice(2).split("\n- ").map(parseSpans) };
  return { kind: "paragraph", spans: parseSpans(part) };
}

function parseSpans(text: string): Span[] {
  const pieces = text.replaceAll(/\s+/g, " ").split(/(\*\*.+?\*\*|`.+?`)/);
  return pieces
    .filter((piece) => piece !== "")
    .map((piece) => {
      if (piece.startsWith("**")) return { kind: "strong", text: piece.slice(2, -2) };
      return piece.startsWith("`") ? { kind: "code", text: piece.slice(1, -1) } : { kind: "text", text: piece };
    });
}

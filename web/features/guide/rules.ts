/** A piece of a line: plain text, or what stands between two marks. */
export interface Span {
  readonly kind: "text" | "strong" | "code";
  readonly text: string;
}

export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "picture"; readonly name: string; readonly text: string }
  | { readonly kind: "paragraph"; readonly spans: readonly Span[] }
  | { readonly kind: "list"; readonly items: readonly (readonly Span[])[] };

/** Parses the Markdown that docs/members.de.md uses: its title, headings, pictures, lists and paragraphs. */
export function parseGuide(markdown: string): { title: string; blocks: Block[] } {
  const [title = "", ...parts] = markdown.trim().split(/\n{2,}/);
  return { title: title.replace("# ", ""), blocks: parts.map(parseBlock) };
}

function parseBlock(part: string): Block {
  const picture = /^!\[(.+)\]\(pictures\/(.+)\)$/.exec(part);
  if (picture) return { kind: "picture", text: picture[1]!, name: picture[2]! };
  if (part.startsWith("## ")) return { kind: "heading", text: part.slice(3) };
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

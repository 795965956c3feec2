export const installMethods = [
  "ios",
  "android",
  "android-firefox",
  "desktop",
  "mac-safari",
  "desktop-firefox",
] as const;
export type InstallMethod = (typeof installMethods)[number];

/** Detects iPads by their touch points, because they identify as Macs. */
export function detectInstallMethod(userAgent: string, touchPoints: number): InstallMethod {
  const isFirefox = /Firefox\//.test(userAgent);
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return "ios";
  if (/Android/.test(userAgent)) return isFirefox ? "android-firefox" : "android";
  if (isFirefox) return "desktop-firefox";
  return /Macintosh/.test(userAgent) && !/Chrome\//.test(userAgent) ? "mac-safari" : "desktop";
}

/** Returns "FDS" for "Freunde der Sonne", and "KEG" for a name of one word. */
export function shortNameOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = name.trim()] = words;
  const letters = words.length > 1 ? words.map((word) => [...word][0]!) : [...first].slice(0, 3);
  return letters.slice(0, 5).join("").toLocaleUpperCase("de");
}

const feetPerCentimeter = 0.0328084;

export interface HeightTexts {
  readonly meters: string;
  readonly feet: string;
  /** Empty if the height is possible. */
  readonly remark: string;
}

export function describeHeight(centimeters: number): HeightTexts {
  return {
    meters: `Du bist ${twoDecimals(centimeters / 100)} m groß!`,
    feet: `(Good to know: In Amerika sind das ${twoDecimals(centimeters * feetPerCentimeter)} Fuß.)`,
    remark: findRemark(centimeters),
  };
}

function twoDecimals(number: number): string {
  return number.toLocaleString("de-DE", { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false });
}

function findRemark(centimeters: number): string {
  if (centimeters === 0) return "Bist du überhaupt da? Stell dich mal gerade hin.";
  if (centimeters < 10) return "Dann reicht dir ein Fingerhut als Maßkrug.";
  if (centimeters < 50) return "Damit passt du bequem in einen Bierkasten.";
  if (centimeters < 100) return "Der Stammtisch besorgt dir einen Kinderstuhl.";
  if (centimeters > 20_000) return "Grüß die Satelliten von uns.";
  if (centimeters > 300) return "Pass am Türrahmen auf. Und am Kirchturm.";
  if (centimeters > 230) return "Bring bitte die Deckenlampe wieder mit runter.";
  return "";
}

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

export interface Section {
  readonly heading: string;
  readonly picture: Picture | undefined;
  readonly blocks: readonly Block[];
}

/** Parses only the Markdown that docs/members.de.md uses. */
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

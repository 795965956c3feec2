// Creates the font of headings and numbers from Bricolage Grotesque, with one variable axis
// (weight) and only the characters we use. Run after a change: node art/subset-font.ts FOLDER.
// FOLDER: the folder `files` of @fontsource-variable/bricolage-grotesque 5.3.0. Requires the
// programs of fonttools, with brotli. The fonts are committed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const target = join(import.meta.dirname, "../web/ui/fonts");
/** The same character ranges as `unicode-range` in base.css; change both together. */
const subsets = [
  { file: "heading", source: "latin", letters: "U+0020-007E,U+00A0,U+00B7,U+00C0-00FF,U+2013,U+2018-201E,U+2026" },
  { file: "heading-more", source: "latin-ext", letters: "U+0100-017F,U+0218-021B,U+1E9E" },
];
const source = process.argv[2];
if (source === undefined) throw new Error("Which folder?");

const work = mkdtempSync(join(tmpdir(), "stammtisch-font-"));
for (const { file, source: part, letters } of subsets) {
  const original = join(source, `bricolage-grotesque-${part}-opsz-normal.woff2`);
  const narrowed = join(work, `${file}.ttf`);
  const result = join(target, `${file}.woff2`);
  execFileSync("fonttools", ["varLib.instancer", "-q", "-o", narrowed, original, "wght=600:800", "opsz=48"]);
  // Drops kerning (GPOS), which would nearly double the file size and is hardly visible at these
  // weights.
  const tables = "--drop-tables+=GDEF,GPOS,HVAR,MVAR,STAT";
  const look = ["--layout-features=tnum", "--no-hinting", "--name-IDs=", "--notdef-outline", tables];
  execFileSync("pyftsubset", [narrowed, `--unicodes=${letters}`, ...look, "--flavor=woff2", `--output-file=${result}`]);
  process.stdout.write(`${file}.woff2: ${statSync(result).size} bytes\n`);
}
rmSync(work, { recursive: true });

// Creates the font of headings and numbers from Bricolage Grotesque, with only one weight axis and only the characters we use.
// After a change, run: node art/subset-font.ts FOLDER, with the folder `files` of @fontsource-variable/bricolage-grotesque 5.3.0.
// Needs the programs of fonttools, with brotli. The results are in the repository.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const target = join(import.meta.dirname, "../web/ui/fonts");
/** The ranges must equal those in base.css. */
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
  // Kerning pairs (GPOS) are dropped, because they would nearly double the size and are invisible at these weights.
  const tables = "--drop-tables+=GDEF,GPOS,HVAR,MVAR,STAT";
  const look = ["--layout-features=tnum", "--no-hinting", "--name-IDs=", "--notdef-outline", tables];
  execFileSync("pyftsubset", [narrowed, `--unicodes=${letters}`, ...look, "--flavor=woff2", `--output-file=${result}`]);
  process.stdout.write(`${file}.woff2: ${statSync(result).size} bytes\n`);
}
rmSync(work, { recursive: true });

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { beforeAll, expect, test } from "vitest";

import { refreshWeb } from "../../scripts/prepare.js";

const dist = join(import.meta.dirname, "../../dist");

beforeAll(() => refreshWeb(), 120_000);

test("The build lays two versions beside every text of more than 1 kB but the pages, that decompress to it", () => {
  const paths = new Set(readdirSync(dist, { recursive: true, encoding: "utf8" }));
  const texts = [...paths].filter((path) => /^[^.].*\.\w+$/.test(path) && !/\.(br|gz)$/.test(path) && isText(path));
  expect(texts).toEqual(expect.arrayContaining(["robots.txt", "sw.js"]));
  for (const path of texts.filter((one) => one !== "index.html")) {
    const text = readFileSync(join(dist, path));
    if (text.length <= 1024) continue;
    expect(brotliDecompressSync(readFileSync(join(dist, `${path}.br`))).equals(text), path).toBe(true);
    expect(gunzipSync(readFileSync(join(dist, `${path}.gz`))).equals(text), path).toBe(true);
  }
});

test("No version is larger than its file, and none is left of a file that is gone", () => {
  for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const [, file] = /^(.+)\.(?:br|gz)$/.exec(path) ?? [];
    if (file === undefined) continue;
    const [version, original] = [path, file].map((name) => readFileSync(join(dist, name)).length);
    expect(version, path).toBeLessThan(original!);
  }
});

test("The service worker keeps files, not their versions", () => {
  const worker = readFileSync(join(dist, "sw.js"), "utf8");
  expect(worker).toContain("/assets/early-");
  expect(worker).not.toMatch(/\.(js|css|svg)\.(br|gz)/);
});

test("The HTML of a page shows header and heading by itself, in the styles that it names and without those that its policy forbids", () => {
  const pages: Record<string, string> = JSON.parse(readFileSync(join(dist, ".pages.json"), "utf8"));
  expect(Object.keys(pages)).toContain("/beercounter");
  for (const [path, html] of Object.entries(pages)) {
    expect(html, path).toMatch(/<header .*<h1 /);
    expect(html, path).not.toMatch(/ style=|<script(?! src="\/assets\/early-)/);
    const styles = [...html.matchAll(/<link rel="stylesheet" crossorigin href="(.+?)"/g)].map(([, file]) =>
      readFileSync(join(dist, file!), "utf8"),
    );
    // Names that the modules made, as `_title_112hg_34`.
    const names = [...html.matchAll(/class="(.*?)"/g)].flatMap(([, list]) => list!.match(/_\w+_\w{5}_\d+/g) ?? []);
    expect(names.length, path).toBeGreaterThan(5);
    for (const name of new Set(names)) expect(styles.join(""), `${path} ${name}`).toContain(`.${name}`);
  }
});

/** Whether a file holds nothing but UTF-8. */
function isText(path: string): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(join(dist, path)));
    return true;
  } catch {
    return false;
  }
}

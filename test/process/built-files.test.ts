import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { beforeAll, expect, test } from "vitest";

import type { BuiltPage } from "#contract/built-pages.ts";
import { refreshWeb } from "../../scripts/prepare.js";

const dist = join(import.meta.dirname, "../../dist");

beforeAll(() => refreshWeb(), 120_000);

test("the build compresses every text above 1 kB, except the pages, with brotli and gzip", () => {
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

test("every compressed file of the build has an original, and is smaller", () => {
  for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    const [, file] = /^(.+)\.(?:br|gz)$/.exec(path) ?? [];
    if (file === undefined) continue;
    const [version, original] = [path, file].map((name) => readFileSync(join(dist, name)).length);
    expect(version, path).toBeLessThan(original!);
  }
});

test("the service worker caches the built files and not their compressed versions", () => {
  const worker = readFileSync(join(dist, "sw.js"), "utf8");
  expect(worker).toContain("/start.js");
  expect(worker).toContain("/assets/app-");
  expect(worker).not.toMatch(/\.(js|css|svg)\.(br|gz)/);
});

test("a page's placeholder has a header and a heading, and is styled only by the page's own style sheets", () => {
  const pages: BuiltPage[] = JSON.parse(readFileSync(join(dist, ".pages.json"), "utf8"));
  expect(pages.map(({ path }) => path)).toContain("/beercounter");
  const index = readFileSync(join(dist, "index.html"), "utf8");
  expect(index).not.toMatch(/ style=|<style|<script>/);
  for (const { path, html, styles } of pages) {
    expect(html, path).toMatch(/<header .*<h1 /);
    expect(html, path).not.toMatch(/ style=|<script|<style/);
    const rules = styles.map((file) => readFileSync(join(dist, file), "utf8")).join("");
    // Matches class names of CSS modules, e.g. `_title_112hg_34`.
    const names = [...html.matchAll(/class="(.*?)"/g)].flatMap(([, list]) => list!.match(/_\w+_\w{5}_\d+/g) ?? []);
    expect(names.length, path).toBeGreaterThan(5);
    for (const name of new Set(names)) expect(rules, `${path} ${name}`).toContain(`.${name}`);
  }
});

/** Returns `true` if a file is valid UTF-8. */
function isText(path: string): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(join(dist, path)));
    return true;
  } catch {
    return false;
  }
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { beforeAll, expect, test } from "vitest";

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
  expect(worker).toContain("/offline");
  expect(worker).toMatch(/\/assets\/index-[\w-]+\.js/);
  expect(worker).not.toMatch(/\.(js|css|svg)\.(br|gz)/);
});

test("the page has a skeleton without controls, scripts and styles, which the Content-Security-Policy would refuse", () => {
  const index = readFileSync(join(dist, "index.html"), "utf8");
  const skeleton = index.slice(index.indexOf('<div id="skeleton"'), index.indexOf('<p class="late">'));
  expect(skeleton).toContain("<h1>Login</h1>");
  expect(skeleton).not.toMatch(/<(a|button|input|label|select)\b|tabindex/);
  expect(index).not.toMatch(/ style=|<style|<script(?![^>]* src=)| on\w+=/);
  expect(index).toContain("<title>Stammtisch</title>");
  expect(index).toContain('name="group" content=""');
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

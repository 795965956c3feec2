import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { beforeAll, expect, test } from "vitest";

import { refreshWeb } from "../../scripts/prepare.js";

const dist = join(import.meta.dirname, "../../dist");

beforeAll(() => refreshWeb(), 120_000);

test("The build lays two versions beside every text of more than 1 kB that decompress to it", () => {
  const paths = new Set(readdirSync(dist, { recursive: true, encoding: "utf8" }));
  const texts = [...paths].filter((path) => /^[^.].*\.\w+$/.test(path) && !/\.(br|gz)$/.test(path) && isText(path));
  expect(texts).toEqual(expect.arrayContaining(["index.html", "sw.js"]));
  for (const path of texts) {
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

/** Whether a file holds nothing but UTF-8. */
function isText(path: string): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(join(dist, path)));
    return true;
  } catch {
    return false;
  }
}

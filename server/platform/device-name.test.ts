import { expect, test } from "vitest";

import { describeDevice } from "./device-name.ts";

const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36`, "Chrome auf Windows"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/142.0.0.0`, "Edge auf Windows"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, "Chrome auf Android"],
  [
    `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    "Samsung Internet auf Android",
  ],
  [`Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox auf Linux"],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
    "Safari auf Mac",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
    "Safari auf iPhone",
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15`,
    "Firefox auf iPad",
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} Safari/537.36`, "Chrome auf ChromeOS"],
  ["Mozilla/5.0 (Windows NT 10.0)", "Browser auf Windows"],
  ["curl/8.9", "Unbekanntes Gerät"],
  ["", "Unbekanntes Gerät"],
])("describeDevice describes the User-Agent %s as %s", (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words);
});

test("describeDevice reads only the first 256 characters of a User-Agent", () => {
  expect(describeDevice(`${"1".repeat(256)} Firefox/120.0`)).toBe("Unbekanntes Gerät");
});

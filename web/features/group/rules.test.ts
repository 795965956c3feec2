import { expect, test } from "vitest";

import { detectInstallMethod } from "./rules.ts";

const safari = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0";
const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";

test.each([
  ["ios", `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`, 5],
  ["ios", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Safari/605.1.15`, 5],
  ["mac-safari", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Safari/605.1.15`, 0],
  ["desktop", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36`, 0],
  ["desktop", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/142.0.0.0`, 10],
  ["desktop-firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", 0],
  ["android", `Mozilla/5.0 (Linux; Android 10; K) ${chrome} Mobile Safari/537.36`, 5],
  ["android-firefox", "Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", 5],
])("detectInstallMethod returns “%s” for the browser %s", (way, userAgent, touchPoints) => {
  expect(detectInstallMethod(userAgent, touchPoints)).toBe(way);
});

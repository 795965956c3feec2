import { expect, test } from "vitest";

import { describeDevice, isAppleTouch, describeTests } from "./rules.ts";

test("describeDevice returns the registration date of a device and its last successful push", () => {
  const device = { id: 1, device: "Firefox auf Android", since: "2026-11-03T12:00:00Z", current: false };
  expect(describeDevice({ ...device, last_success_at: null })).toBe("Seit 3. November");
  expect(describeDevice({ ...device, last_success_at: "2026-11-20T12:00:00Z" })).toMatch(
    /^Seit 3. November, zuletzt 20.11.26, \d\d:00 Uhr$/,
  );
});

test("describeTests names the device whose test failed", () => {
  expect(describeTests([{ device: "Safari auf iPhone", result: "unreachable" }])).toEqual([
    "Safari auf iPhone: Push-Dienst nicht erreichbar, versuche es später nochmal.",
  ]);
});

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", 5, true],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 5, true],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 0, false],
  ["Mozilla/5.0 (Linux; Android 10; K)", 5, false],
])("isAppleTouch detects iPhones and iPads: %s with %i touch points → %s", (userAgent, maxTouchPoints, isApple) => {
  expect(isAppleTouch({ userAgent, maxTouchPoints })).toBe(isApple);
});

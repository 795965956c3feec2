import { expect, test } from "vitest";

import { describeDevice, isAppleTouch, parseSettings, describeTests } from "./rules.ts";

function form(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("what is not ticked is not wanted, and quiet hours need both times", () => {
  const nothing = { beers: false, game_servers: false, sound: false, quiet_hours: null };
  expect(parseSettings(form({}))).toEqual(nothing);
  expect(parseSettings(form({ beers: "on", sound: "on" }))).toEqual({ ...nothing, beers: true, sound: true });
  const times = { quiet: "on", from: "23:00", until: "08:00" };
  expect(parseSettings(form(times)).quiet_hours).toEqual({ from: "23:00", until: "08:00" });
  expect(parseSettings(form({ ...times, until: "" })).quiet_hours).toBeNull();
  expect(parseSettings(form({ from: "23:00", until: "08:00" })).quiet_hours).toBeNull();
});

test("a device shows since when it is known, and when it last worked", () => {
  const device = { id: 1, device: "Firefox auf Android", since: "2026-11-03T12:00:00Z", current: false };
  expect(describeDevice({ ...device, last_success_at: null })).toBe("Seit 3. November");
  expect(describeDevice({ ...device, last_success_at: "2026-11-20T12:00:00Z" })).toMatch(
    /^Seit 3. November, zuletzt 20.11.26, \d\d:00$/,
  );
});

test("a test that failed names the device", () => {
  expect(describeTests([{ device: "Safari auf iPhone", result: "unreachable" }])).toEqual([
    "Safari auf iPhone: Push-Dienst nicht erreichbar, versuche es später nochmal.",
  ]);
});

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)", 5, true],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 5, true],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", 0, false],
  ["Mozilla/5.0 (Linux; Android 10; K)", 5, false],
])("%s with %i fingers needs the home screen: %s", (userAgent, maxTouchPoints, isApple) => {
  expect(isAppleTouch({ userAgent, maxTouchPoints })).toBe(isApple);
});

import { describe, expect, test } from "vitest";

import { readConfig } from "#server/config.ts";
import { forbiddenAddresses } from "#test/forbidden-addresses.ts";
import { arePushKeysValid, isPushEndpoint } from "./endpoint.ts";

const limits = readConfig({ PUSH_ALLOWED_HOSTS: "" });
const phone = "https://fcm.googleapis.com/fcm/send/phone";

describe("a push endpoint", () => {
  test.each([
    phone,
    "https://fcm.googleapis.com:443/wp/phone:with=signs%2F~",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
    "https://web.push.apple.com/QGuQyavXutnMH",
    "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAB%2fq%2b",
    "https://jmt17.google.com/fcm/send/phone",
  ])("isPushEndpoint accepts %s", (endpoint) => {
    expect(isPushEndpoint(endpoint, limits)).toBe(true);
  });

  test.each([
    "http://fcm.googleapis.com/x",
    "ftp://fcm.googleapis.com/x",
    "file:///etc/passwd",
    "//fcm.googleapis.com/x",
    "",
    "https:fcm.googleapis.com/x",
    "https:/fcm.googleapis.com/x",
    "https:\\\\fcm.googleapis.com\\x",
    "fcm",
    "https://fcm.googleapis.com:444/x",
    "https://fcm.googleapis.com:80/x",
    "https://fcm.googleapis.com:/x",
    "https://anna@fcm.googleapis.com/x",
    "https://anna:pw@fcm.googleapis.com/x",
    "https://@fcm.googleapis.com/x",
    "https://fcm.googleapis.com@localhost/x",
    "https://localhost#fcm.googleapis.com/",
    "https://fcm.googleapis.com#x",
    "https://fcm.googleapis.com.evil.test/x",
    "https://evilfcm.googleapis.com/x",
    "https://xnotify.windows.com/x",
    "https://fcm.googleapis.com./x",
    "https://.fcm.googleapis.com/x",
    "https://googleapis.com/x",
    "https://apple.com/",
    "https://fcm.googleapis。com/x",
    "https://fcm。googleapis．com/x",
    "https://fcm%2egoogleapis.com/x",
    "https:///x",
    "https://localhost%2f.fcm.googleapis.com/x",
    "https://ｆcm.googleapis.com/x",
    "https://fcm.googleapis.com%00/x",
    "https://fcm.googleapis.com\t/x",
    "https://fcm.goog\nleapis.com/x",
    " https://fcm.googleapis.com/x",
    `${phone} `,
    "https://fcm.googleapis.com\\.localhost/x",
    "https://fcm.googleapis.com/x y",
    "https://localhost\\@fcm.googleapis.com/",
    `${phone}/${"x".repeat(2048)}`,
    ...[
      "2130706433",
      "0x7f000001",
      "0x7f.1",
      "0177.0.0.1",
      "127.1",
      "127.0.0.1.",
      "localhost",
      "[::1]",
      "[::ffff:7f00:1]",
    ].flatMap((host) => [`https://${host}/x`, `https://${host}:8443/x`]),
    ...forbiddenAddresses.map((address) => `https://${address.includes(":") ? `[${address}]` : address}/x`),
  ])("isPushEndpoint rejects %j", (endpoint) => {
    expect(isPushEndpoint(endpoint, limits)).toBe(false);
  });
});

describe("browser keys", () => {
  const keys = {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  };

  test("arePushKeysValid accepts an uncompressed point on the curve P-256 with 16 secret bytes", () => {
    expect(arePushKeysValid(keys)).toBe(true);
  });

  test.each([
    ["a short auth", { auth: "BTBZMqHH6r4Tts7J_aSI" }],
    ["a long auth", { auth: `${keys.auth}AAAA` }],
    ["an auth that is no base64url", { auth: "BTBZMqHH6r4T%s7J/aSIgg" }],
    ["an empty key", { p256dh: "" }],
    ["half a key", { p256dh: keys.p256dh.slice(0, 43) }],
    ["a compressed key", { p256dh: `A${keys.p256dh.slice(1, 44)}` }],
    ["a point beside the curve", { p256dh: keys.p256dh.replace("iw4", "iw8") }],
    ["the point at infinity", { p256dh: `BA${"A".repeat(85)}` }],
  ])("arePushKeysValid rejects keys with %s", (_, changed) => {
    expect(arePushKeysValid({ ...keys, ...changed })).toBe(false);
  });
});

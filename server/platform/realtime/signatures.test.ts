import { describe, expect, test } from "vitest";

import { isChannelName, isSignature, isSocketId, signChannel, signedQuery, signUser } from "./signatures.ts";

const vendor = { key: "278d425bdf160c739803", secret: "7ad3773142a6692b25b8" };

describe("signatures", () => {
  test("signatures of subscriptions and sign-ins equal the published examples of Pusher", () => {
    expect(signChannel(vendor, "1234.1234", "private-foobar")).toBe(
      `${vendor.key}:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4`,
    );
    expect(signUser(vendor, "1234.1234", '{"id":"12345"}')).toBe(
      `${vendor.key}:4708d583dada6a56435fb8bc611c77c359a31eebde13337c16ab43aa6de336ba`,
    );
    const mrPusher = '{"user_id":10,"user_info":{"name":"Mr. Pusher"}}';
    expect(signChannel(vendor, "1234.1234", "presence-foobar", mrPusher)).toBe(
      `${vendor.key}:afaed3695da2ffd16931f457e338e6c9f2921fa133ce7dac49f529792be6304c`,
    );
  });

  test("signatures of HTTP API calls equal the published examples of Pusher", () => {
    const body = JSON.stringify({ name: "foo", channels: ["project-3"], data: '{"some":"data"}' });
    const query = signedQuery(vendor, { method: "POST", path: "/apps/3/events", body, seconds: 1353088179 });
    expect(query).toContain("body_md5=ec365a775a4cd0599faeb73354201b6f");
    expect(query).toContain("auth_signature=da454824c97ba181a32ccc17a72625ba02771f50b50e1e7430e47a1f3f457e6c");
    const parameters = "info=subscription_count";
    const question = { method: "GET", path: "/apps/3/channels/foobar", parameters, seconds: 1353088179 };
    expect(signedQuery(vendor, question)).toMatch(
      /^auth_key=278d425bdf160c739803&auth_timestamp=1353088179&auth_version=1\.0&info=subscription_count&auth_signature=\w{64}$/,
    );
  });

  test("a signature is valid only for exactly the socket, channel and data that were signed", () => {
    const auth = signChannel(vendor, "1.2", "presence-x", "{}");
    expect(isSignature(auth, signChannel(vendor, "1.2", "presence-x", "{}"))).toBe(true);
    expect(isSignature(auth, signChannel(vendor, "1.3", "presence-x", "{}"))).toBe(false);
    expect(isSignature(auth, signChannel(vendor, "1.2", "presence-y", "{}"))).toBe(false);
    expect(isSignature(auth, signChannel(vendor, "1.2", "presence-x", "{ }"))).toBe(false);
    expect(isSignature(auth, signChannel(vendor, "1.2", "presence-x"))).toBe(false);
    expect(isSignature(auth, signUser(vendor, "1.2", "{}"))).toBe(false);
    for (const nonsense of [undefined, null, 7, "", "a:b", auth.slice(0, -1), `${auth}0`, [auth]]) {
      expect(isSignature(nonsense, signChannel(vendor, "1.2", "presence-x", "{}"))).toBe(false);
    }
  });

  test.each([
    ["1234.1234", 'presence-x:{"user_id":"admin"}'],
    ["1234.1234", ':user::{"id":"admin"}'],
    ["1234.1234:presence-x", "private-a"],
    ["1.1:", 'user::{"id":"admin"}'],
  ])("signChannel refuses the ambiguous pair of socket id %s and channel %s", (socketId, channel) => {
    expect(() => signChannel(vendor, socketId, channel)).toThrow("refusing");
    expect(isSocketId(socketId) && isChannelName(channel)).toBe(false);
  });

  test("isChannelName and isSocketId reject malformed values", () => {
    expect(isChannelName("x".repeat(164))).toBe(true);
    for (const name of ["x".repeat(165), "", "a:b", "a/b", "a b", "a#b", "ä", "a\n", 7, null])
      expect(isChannelName(name)).toBe(false);
    for (const id of ["1", "1.", ".1", "1.1.1", "a.1", "1.1\n", " 1.1", "1.1:x", 1.1, null])
      expect(isSocketId(id)).toBe(false);
  });
});

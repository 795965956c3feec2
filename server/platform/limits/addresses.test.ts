import { expect, test } from "vitest";

import { networkOf } from "#server/platform/http/request-log.ts";
import { addressKeys } from "./limits.ts";

const addressKey = (ip: string) => addressKeys(ip)[0];

test("IPv6 addresses with the same /64 prefix share one rate limit key", () => {
  expect(addressKey("2001:db8:1:2:3:4:5:6")).toBe(addressKey("2001:0db8:0001:0002::9"));
  expect(addressKey("2001:DB8:1:2::1")).toBe(addressKey("2001:db8:1:2::2"));
  expect(addressKey("2001:db8:1:2::1")).not.toBe(addressKey("2001:db8:1:3::1"));
  expect(addressKey("::1")).toBe(addressKey("0:0:0:0:0:0:0:2"));
  expect(addressKey("::ffff:10.0.0.1")).toBe("10.0.0.1");
  expect(addressKey("10.0.0.1")).not.toBe(addressKey("10.0.0.2"));
});

test("addressKeys returns the /64, /56 and /48 of an IPv6 address, and an IPv4 address unchanged", () => {
  expect(addressKeys("2001:db8:1:a1b2:3:4:5:6")).toEqual([
    "2001:db8:1:a1b2::/64",
    "2001:db8:1:a100::/56",
    "2001:db8:1::/48",
  ]);
  expect(addressKeys("2001:db8::1")).toEqual(["2001:db8:0:0::/64", "2001:db8:0:0::/56", "2001:db8:0::/48"]);
  expect(addressKeys("::ffff:10.0.0.1")).toEqual(["10.0.0.1"]);
});

test.each([
  ["192.0.2.77", "192.0.2.0/24"],
  ["::ffff:192.0.2.77", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["::1", "0:0:0::/48"],
  ["2001:db8::5", "2001:db8:0::/48"],
])("networkOf shortens the address %s to the network %s for the log", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

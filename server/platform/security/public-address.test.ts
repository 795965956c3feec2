import { expect, test } from "vitest";

import { forbiddenAddresses } from "#test/forbidden-addresses.ts";
import { isPublicAddress } from "./public-address.ts";

test.each(forbiddenAddresses)("isPublicAddress returns false for %s", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["no-address", "", "1.2.3", "1.2.3.4.5", "[2606:4700::1]"])(
  "isPublicAddress returns false for the text %o, which is no IP address",
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

test.each([
  ..."8.8.8.8 1.1.1.1 142.250.1.95 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.0.1.1 198.17.0.1".split(" "),
  ..."198.20.0.1 223.255.255.255 2606:4700::1 2a00:1450:4001:80b::200a".split(" "),
  // NAT64 addresses, at which a network without IPv4 reaches the push services.
  "64:ff9b::8.8.8.8",
  "64:ff9b::8efa:15f",
])("isPublicAddress returns true for %s", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

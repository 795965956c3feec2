import { expect, test, vi } from "vitest";

import { readConfig } from "./config.ts";
import * as containerNetworks from "./container-networks.ts";

const address = (cidr: string, internal = false) => ({
  ...{ address: cidr.split("/")[0]!, netmask: "", mac: "", internal, cidr },
  ...(cidr.includes(":") ? { family: "IPv6" as const, scopeid: 0 } : { family: "IPv4" as const }),
});

test("the private networks of a machine are those of its addresses, without loopback, link-local and public ones", () => {
  const interfaces = {
    lo: [address("127.0.0.1/8", true), address("::1/128", true)],
    eth0: [address("172.18.0.5/16"), address("fe80::42/64")],
    eth1: [address("172.18.0.6/16"), address("fd00:1::5/64"), address("203.0.113.9/24")],
  };
  expect(containerNetworks.listPrivateNetworks(interfaces)).toEqual(["172.18.0.0/16", "fd00:1::/64"]);
});

test("TRUST_PROXY=docker trusts the networks of the container, and is refused outside of one", () => {
  const isInContainer = vi.spyOn(containerNetworks, "isInContainer").mockReturnValue(true);
  const networks = vi.spyOn(containerNetworks, "listPrivateNetworks").mockReturnValue(["172.18.0.0/16"]);
  expect(readConfig({ TRUST_PROXY: "docker, 10.0.0.1" }).trustProxy).toEqual(["172.18.0.0/16", "10.0.0.1"]);
  networks.mockReturnValue([]);
  expect(() => readConfig({ TRUST_PROXY: "docker" })).toThrow(
    "TRUST_PROXY is docker, but this container has no private",
  );
  isInContainer.mockReturnValue(false);
  expect(() => readConfig({ TRUST_PROXY: "docker" })).toThrow("TRUST_PROXY is docker, but this is no container");
});

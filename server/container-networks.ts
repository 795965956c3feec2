import { existsSync } from "node:fs";
import { networkInterfaces } from "node:os";

import ipaddr from "ipaddr.js";

/** Docker and Podman create one of these files in each container. */
export function isInContainer(): boolean {
  return existsSync("/.dockerenv") || existsSync("/run/.containerenv");
}

/** Returns the private networks of this machine as CIDRs, e.g. `172.18.0.0/16`. */
export function listPrivateNetworks(interfaces = networkInterfaces()): string[] {
  const addresses = Object.values(interfaces).flatMap((all) => all ?? []);
  const networks = addresses.flatMap(({ cidr }) => {
    if (cidr === null) return [];
    const [address, bits] = ipaddr.parseCIDR(cidr);
    if (address.range() !== "private" && address.range() !== "uniqueLocal") return [];
    const kind = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
    return [`${kind.networkAddressFromCIDR(cidr).toString()}/${bits}`];
  });
  return [...new Set(networks)];
}

import { BlockList, isIPv4, isIPv6 } from "node:net";

/**
 * IPv4 addresses that are not public: IANA's special-purpose registry, multicast and reserved
 * addresses.
 */
const special4 = subnets("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
]);

/**
 * Global unicast addresses of IPv6; the range contains no mapped, translated, local and multicast
 * addresses.
 */
const global6 = subnets("ipv6", [["2000::", 3]]);
/**
 * Subnets of `global6` that are not public: addresses for protocols (including Teredo), addresses
 * for documentation, and 6to4 addresses, which embed an IPv4 address.
 */
const special6 = subnets("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
]);

/**
 * Returns `true` if the address is on the public internet, and not on this computer, in its local
 * network or in its cloud provider's internal network.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  const translated = translatedAddress(address);
  if (translated) return isPublicAddress(translated);
  return global6.check(address, "ipv6") && !special6.check(address, "ipv6");
}

/** Returns the IPv4 address that a NAT64 address contains (RFC 6052); `null` for other addresses. */
function translatedAddress(address: string): string | null {
  const written = new URL(`http://[${address}]`).hostname;
  const [, high = "0", low] = /^\[64:ff9b::(?:([0-9a-f]+):)?([0-9a-f]+)\]$/.exec(written) ?? [];
  if (low === undefined) return null;
  const left = Number.parseInt(high, 16);
  const right = Number.parseInt(low, 16);
  return [left >> 8, left & 255, right >> 8, right & 255].join(".");
}

function subnets(family: "ipv4" | "ipv6", list: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const found = new BlockList();
  for (const [network, prefix] of list) found.addSubnet(network, prefix, family);
  return found;
}

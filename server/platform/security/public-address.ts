import { isIPv4, isIPv6 } from "node:net";

import ipaddr from "ipaddr.js";

const global6 = ipaddr.IPv6.parseCIDR("2000::/3");
/** NAT64 addresses (RFC 6052) end with an IPv4 address. */
const translated = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** `false` for this computer, its local network and its cloud provider's internal network. */
export function isPublicAddress(text: string): boolean {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text).range() === "unicast";
  if (!isIPv6(text) || text.includes("%")) return false;
  const address = ipaddr.IPv6.parse(text);
  if (address.match(translated)) return isPublicAddress(address.toByteArray().slice(12).join("."));
  return address.match(global6) && address.range() === "unicast";
}

/** Returns `true` for a host name of a URL that leads to the same machine, such as `localhost`. */
export function isLoopback(hostname: string): boolean {
  return /^(.+\.)?localhost$/.test(hostname) || /^127(\.\d{1,3}){3}$/.test(hostname) || hostname === "[::1]";
}

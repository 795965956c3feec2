import type { IncomingHttpHeaders } from "node:http";

export type AllowedOrigins = ReturnType<typeof createAllowedOrigins>;

/** The hosts and origins of the configuration. */
export function createAllowedOrigins(appUrl: URL, extraOrigins: readonly string[]) {
  const all = [appUrl.origin, ...extraOrigins];
  const hosts = new Set(all.map((origin) => new URL(origin).host));
  const isExtra = (origin: string | undefined) => origin !== undefined && extraOrigins.includes(origin);
  return {
    all,
    isExtra,
    isAllowedHost: (host: string | undefined) => host !== undefined && hosts.has(host.toLowerCase()),
    /** Whether the browser says that another site sent the request. Clients that send neither header are not browsers. */
    isCrossOrigin({ origin, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
      if (origin !== undefined && !all.includes(origin)) return true;
      return (site === "cross-site" || site === "same-site") && !isExtra(origin);
    },
  };
}

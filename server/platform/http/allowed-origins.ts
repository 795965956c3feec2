import type { IncomingHttpHeaders } from "node:http";

/** The hosts and origins of the configuration. */
export interface AllowedOrigins {
  readonly all: readonly string[];
  isAllowedHost(host: string | undefined): boolean;
  /** Whether the browser says that another site sent the request. Clients that send neither header are not browsers. */
  isCrossOrigin(headers: IncomingHttpHeaders): boolean;
  isExtra(origin: string | undefined): boolean;
}

export function createAllowedOrigins(appUrl: URL, extraOrigins: readonly string[]): AllowedOrigins {
  const all = [appUrl.origin, ...extraOrigins];
  const hosts = new Set(all.map((origin) => new URL(origin).host));
  const isExtra = (origin: string | undefined) => origin !== undefined && extraOrigins.includes(origin);
  return {
    all,
    isExtra,
    isAllowedHost: (host) => host !== undefined && hosts.has(host.toLowerCase()),
    isCrossOrigin({ origin, "sec-fetch-site": site }) {
      if (origin !== undefined && !all.includes(origin)) return true;
      return (site === "cross-site" || site === "same-site") && !isExtra(origin);
    },
  };
}

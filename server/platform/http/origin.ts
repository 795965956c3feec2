import type { IncomingHttpHeaders } from "node:http";

/** Which hosts and origins are ours. Nothing a client sends can widen this. */
export interface Origins {
  readonly all: readonly string[];
  isOurHost(host: string | undefined): boolean;
  /** Whether the browser says that another site sent this. Clients that send neither header are not browsers. */
  isForeign(headers: IncomingHttpHeaders): boolean;
  isExtra(origin: string | undefined): boolean;
}

export function openOrigins(appUrl: URL, extraOrigins: readonly string[]): Origins {
  const all = [appUrl.origin, ...extraOrigins];
  const hosts = new Set(all.map((origin) => new URL(origin).host));
  const isExtra = (origin: string | undefined) => origin !== undefined && extraOrigins.includes(origin);
  return {
    all,
    isExtra,
    isOurHost: (host) => host !== undefined && hosts.has(host.toLowerCase()),
    isForeign({ origin, "sec-fetch-site": site }) {
      if (origin !== undefined && !all.includes(origin)) return true;
      return (site === "cross-site" || site === "same-site") && !isExtra(origin);
    },
  };
}

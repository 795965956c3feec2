import type { IncomingHttpHeaders } from "node:http";

export type AllowedOrigins = ReturnType<typeof createAllowedOrigins>;

/** Checks the Host and Origin headers of requests. */
export function createAllowedOrigins(appUrl: URL, extraOrigins: readonly string[]) {
  const all = [appUrl.origin, ...extraOrigins];
  const hosts = new Set(all.map((origin) => new URL(origin).host));
  const isExtra = (origin: string | undefined) => origin !== undefined && extraOrigins.includes(origin);
  return {
    all,
    isExtra,
    /** Origin at which a client uses the app, from its Origin or Host header; APP_URL if neither is allowed. */
    originOf({ origin, host }: IncomingHttpHeaders): string {
      if (origin !== undefined && all.includes(origin)) return origin;
      return all.find((one) => new URL(one).host === host?.toLowerCase()) ?? appUrl.origin;
    },
    isAllowedHost: (host: string | undefined) => host !== undefined && hosts.has(host.toLowerCase()),
    /**
     * `true` if Origin or Sec-Fetch-Site names a foreign site. A request without both does not come from a browser and
     * is not cross-origin.
     */
    isCrossOrigin({ origin, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
      if (origin !== undefined && !all.includes(origin)) return true;
      return (site === "cross-site" || site === "same-site") && !isExtra(origin);
    },
  };
}

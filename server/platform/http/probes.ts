/** Monitors often use the IP address, so any Host header is accepted. Session cookies are ignored. */
export const probePaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

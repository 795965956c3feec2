/**
 * Paths that monitors request. Such requests may have any Host header, because monitors often use
 * the IP address, and their session cookies are ignored.
 */
export const probePaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

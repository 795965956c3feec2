/** Paths of monitors. They accept any host name, because monitors often use the IP address, and ignore the session. */
export const probePaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

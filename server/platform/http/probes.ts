/** Health probes answer for any host name, since monitors often use the address, and do not look at the session. */
export const probePaths: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

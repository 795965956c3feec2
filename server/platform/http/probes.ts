/** Probes answer under any host, since who probes does not know our name, and to anybody, without asking who it is. */
export const probePaths: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

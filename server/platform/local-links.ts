import { isLoopback } from "#contract/loopback.ts";
import type { Config } from "#server/config.ts";

/** Returns a warning if only this machine can open the links that the server makes. */
export function describeLocalLinks({ appUrl }: Pick<Config, "appUrl">): string | null {
  if (!isLoopback(appUrl.hostname)) return null;
  return `Links lead to ${appUrl.origin}, which only this machine can open. Set APP_URL to an address that everyone can open.`;
}

/** Adds a warning if only this machine can open the link. */
export function formatLink(config: Pick<Config, "appUrl">, url: string): string {
  const warning = describeLocalLinks(config);
  return warning === null ? url : `${url}\n${warning}`;
}

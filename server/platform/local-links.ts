import { isLoopback } from "#contract/loopback.ts";
import type { Config } from "#server/config.ts";

/** Returns a warning if only this machine can open the links that the server makes; otherwise `null`. */
export function describeLocalLinks({ appUrl }: Pick<Config, "appUrl">): string | null {
  if (!isLoopback(appUrl.hostname)) return null;
  return `Links lead to ${appUrl.origin}, which only this machine can open. Set APP_URL to an address that everyone can open.`;
}

/** Returns a link as a command prints it: with a second line if only this machine can open it. */
export function formatLink(config: Pick<Config, "appUrl">, url: string): string {
  const warning = describeLocalLinks(config);
  return warning === null ? url : `${url}\n${warning}`;
}

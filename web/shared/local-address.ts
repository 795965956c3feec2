import { isLoopback } from "#contract/loopback.ts";

/** Returns a warning if only this device can open the link `url`; otherwise `null`. */
export function describeLocalAddress(url: string): string | null {
  const { hostname } = new URL(url);
  if (!isLoopback(hostname)) return null;
  return `„${hostname}“ erreicht nur dieses Gerät: Trag auf dem Server bei APP_URL eine Adresse ein, die alle erreichen, und öffne die App dort.`;
}

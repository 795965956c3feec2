import { isLoopback } from "#contract/loopback.ts";
import type { Config } from "#server/config.ts";

/** Pages replace the Content-Security-Policy with the one from pageHeaders(). */
export function securityHeaders({
  appUrl,
  hstsSubdomains,
}: Pick<Config, "appUrl" | "hstsSubdomains">): Record<string, string> {
  const transportSecurity = `max-age=31536000${hstsSubdomains ? "; includeSubDomains" : ""}`;
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    ...(appUrl.protocol === "https:" && { "strict-transport-security": transportSecurity }),
  };
}

/** The policy of other files would forbid the service worker's requests. */
export const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/** `realtimeOrigin` is a hosted service, e.g. `wss://ws-eu.pusher.com`, or `null` if pages connect to this server. */
export function pageHeaders(appUrl: URL, realtimeOrigin: string | null): Record<string, string> {
  const isSecure = appUrl.protocol === "https:";
  // Older Safari versions do not apply 'self' to WebSockets. `blob:` is for the picture cropper.
  const sockets = realtimeOrigin ?? `${isSecure ? "wss" : "ws"}://${appUrl.host}`;
  return {
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' blob: data:",
      "media-src 'self'",
      "font-src 'self'",
      `connect-src 'self' ${sockets} blob:`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-src 'none'",
      "frame-ancestors 'none'",
      ...(isSecure ? ["upgrade-insecure-requests"] : []),
    ].join("; "),
    "permissions-policy":
      "autoplay=(self), camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=(), fullscreen=(self)",
    // Chromium ignores this header over plain http and prints a message to the console.
    ...((isSecure || isLoopback(appUrl.hostname)) && { "cross-origin-opener-policy": "same-origin" }),
    "cache-control": "no-cache",
  };
}

import { isLoopback } from "#server/config-values.ts";

/** The headers of every answer. Their policy is for everything but pages, which have pageHeaders(). */
export function securityHeaders(appUrl: URL): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    ...(appUrl.protocol === "https:" && { "strict-transport-security": "max-age=31536000; includeSubDomains" }),
  };
}

/** The service worker runs under the policy of its own file; the one for everything else would forbid its requests. */
export const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'";

/** `realtimeOrigin`: where the socket goes when it is not our own host, e.g. `wss://ws-eu.pusher.com`. */
export function pageHeaders(appUrl: URL, realtimeOrigin: string | null): Record<string, string> {
  const isSecure = appUrl.protocol === "https:";
  // Older Safari does not take 'self' for sockets; the cropper reads a picked file through a blob URL.
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
    // Over plain http Chromium ignores it and complains on the console.
    ...((isSecure || isLoopback(appUrl.hostname)) && { "cross-origin-opener-policy": "same-origin" }),
    "cache-control": "no-cache",
  };
}

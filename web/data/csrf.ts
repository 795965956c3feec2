const cookieName = "XSRF-TOKEN";

/**
 * Returns the CSRF token from its cookie, which scripts may read; empty before the server's first
 * answer.
 */
export function csrfToken(): string {
  const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(`${cookieName}=`));
  return cookie === undefined ? "" : decodeURIComponent(cookie.slice(cookieName.length + 1));
}

/**
 * Copies the token from the cookie into `<meta name="csrf-token">`, where the realtime client reads
 * it.
 */
export function syncCsrfMeta(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]');
  const token = csrfToken();
  if (meta !== null && meta.content !== token) meta.content = token;
}

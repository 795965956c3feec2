const cookieName = "XSRF-TOKEN";

/** Returns the CSRF token of the session from its readable cookie; empty before the first answer. */
export function csrfToken(): string {
  const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(`${cookieName}=`));
  return cookie === undefined ? "" : decodeURIComponent(cookie.slice(cookieName.length + 1));
}

/** Copies the cookie into `<meta name="csrf-token">`, where the socket authorisation reads it. */
export function syncCsrfMeta(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]');
  const token = csrfToken();
  if (meta !== null && meta.content !== token) meta.content = token;
}

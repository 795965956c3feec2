const cookieName = "XSRF-TOKEN";

/** The session's CSRF token as the server put it into the readable cookie; empty before the first answer. */
export function csrfToken(): string {
  const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(`${cookieName}=`));
  return cookie === undefined ? "" : decodeURIComponent(cookie.slice(cookieName.length + 1));
}

/** Keeps `<meta name="csrf-token">` equal to the cookie; socket authorisation reads it there. */
export function syncCsrfMeta(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]');
  const token = csrfToken();
  if (meta !== null && meta.content !== token) meta.content = token;
}

const cookieName = "XSRF-TOKEN";

/** TypeScript's types of service workers lack `cookieStore`. */
declare const cookieStore: { get(name: string): Promise<{ value: string } | null> };

/** Returns "" before the server's first answer. */
export async function readCsrfToken(): Promise<string> {
  if (typeof document !== "undefined") return pageCsrfToken();
  return decodeURIComponent((await cookieStore.get(cookieName))?.value ?? "");
}

function pageCsrfToken(): string {
  const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(`${cookieName}=`));
  return cookie === undefined ? "" : decodeURIComponent(cookie.slice(cookieName.length + 1));
}

/** Copies the token from the cookie into `<meta name="csrf-token">`. Empty in a service worker. */
export function syncCsrfMeta(): string {
  if (typeof document === "undefined") return "";
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]');
  const token = pageCsrfToken();
  if (meta !== null && meta.content !== token) meta.content = token;
  return token;
}

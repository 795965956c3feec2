export const dashboardPath = "/dashboard";

/**
 * Characters allowed in the app's own addresses. Without backslashes, `@`, blanks and control
 * characters, no address can lead to another site.
 */
const innerAddress = /^\/(?!\/)[\w\-./~%!$&'()*+,;=:?#[\]]*$/;

/**
 * Returns the address to open after a login: the requested page if it is a path within the app,
 * otherwise the dashboard. Refuses every address that a browser could understand as another site,
 * even after decoding.
 */
export function redirectTarget(search: string): string {
  const [wanted = "/", ...more] = new URLSearchParams(search).getAll("redirectedFrom");
  if (more.length > 0 || wanted === "/" || !isInnerPath(wanted)) return dashboardPath;
  return wanted;
}

/**
 * Returns the address of the login page that returns to `attempted` (path and query) after the
 * login.
 */
export function loginPathFor(attempted: string): string {
  return `/login?redirectedFrom=${encodeURIComponent(attempted).replaceAll("%2F", "/")}`;
}

function isInnerPath(address: string): boolean {
  if (!innerAddress.test(address)) return false;
  let current = address.replace(/[?#].*/, "");
  for (let round = 0; round < 5; round += 1) {
    if (!innerAddress.test(current) || current.startsWith("/.") || current.includes("//")) return false;
    const decoded = decode(current);
    if (decoded === null) return false;
    if (decoded === current) return true;
    current = decoded;
  }
  return false;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

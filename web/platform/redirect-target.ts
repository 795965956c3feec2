export const dashboardPath = "/dashboard";

/** Letters that occur in our own addresses. Without a backslash, `@`, blanks or control characters none of them can lead away. */
const innerAddress = /^\/(?!\/)[\w\-./~%!$&'()*+,;=:?#[\]]*$/;

/**
 * Where a login leads: the page asked for before it, if that is an inner path, otherwise the dashboard. Whatever could
 * mean another site to any browser, also after decoding, is not an inner path.
 */
export function redirectTarget(search: string): string {
  const [wanted = "/", ...more] = new URLSearchParams(search).getAll("redirectedFrom");
  if (more.length > 0 || wanted === "/" || !isInnerPath(wanted)) return dashboardPath;
  return wanted;
}

/** The login page that comes back to `attempted` (path and query) afterwards. */
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

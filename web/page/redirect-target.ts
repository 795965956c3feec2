export const dashboardPath = "/dashboard";

/** Without backslashes, `@`, blanks and control characters, no address leads to another site. */
const innerAddress = /^\/(?!\/)[\w\-./~%!$&'()*+,;=:?#[\]]*$/;

/** Returns the requested page if it is within the app, even after decoding; otherwise the dashboard. */
export function redirectTarget(search: string): string {
  const [wanted = "/", ...more] = new URLSearchParams(search).getAll("redirectedFrom");
  if (more.length > 0 || wanted === "/" || !isInnerPath(wanted)) return dashboardPath;
  return wanted;
}

/** Takes path and query. */
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

/**
 * Ways to install the app. Each has its own instructions, because browsers install apps
 * differently.
 */
export const installMethods = [
  "ios",
  "android",
  "android-firefox",
  "desktop",
  "mac-safari",
  "desktop-firefox",
] as const;
export type InstallMethod = (typeof installMethods)[number];

/**
 * Returns how the app is installed in a browser. iPads identify as Macs, but only iPads have
 * several touch points.
 */
export function detectInstallMethod(userAgent: string, touchPoints: number): InstallMethod {
  const isFirefox = /Firefox\//.test(userAgent);
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return "ios";
  if (/Android/.test(userAgent)) return isFirefox ? "android-firefox" : "android";
  if (isFirefox) return "desktop-firefox";
  return /Macintosh/.test(userAgent) && !/Chrome\//.test(userAgent) ? "mac-safari" : "desktop";
}

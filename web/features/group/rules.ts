/** Ways to install the app; each has its own words, since no two browsers do it alike. */
export const installMethods = [
  "ios",
  "android",
  "android-firefox",
  "desktop",
  "mac-safari",
  "desktop-firefox",
] as const;
export type InstallMethod = (typeof installMethods)[number];

/** The way that fits this browser. iPads say that they are Macs, but no Mac is touched with several fingers. */
export function detectInstallMethod(userAgent: string, touchPoints: number): InstallMethod {
  const isFirefox = /Firefox\//.test(userAgent);
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return "ios";
  if (/Android/.test(userAgent)) return isFirefox ? "android-firefox" : "android";
  if (isFirefox) return "desktop-firefox";
  return /Macintosh/.test(userAgent) && !/Chrome\//.test(userAgent) ? "mac-safari" : "desktop";
}

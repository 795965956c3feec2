/** Ways to install the app, each with its own instructions, since browsers differ. */
export const installMethods = [
  "ios",
  "android",
  "android-firefox",
  "desktop",
  "mac-safari",
  "desktop-firefox",
] as const;
export type InstallMethod = (typeof installMethods)[number];

/** Returns the install method of a browser. iPads identify as Macs, but Macs have no touch points. */
export function detectInstallMethod(userAgent: string, touchPoints: number): InstallMethod {
  const isFirefox = /Firefox\//.test(userAgent);
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)) return "ios";
  if (/Android/.test(userAgent)) return isFirefox ? "android-firefox" : "android";
  if (isFirefox) return "desktop-firefox";
  return /Macintosh/.test(userAgent) && !/Chrome\//.test(userAgent) ? "mac-safari" : "desktop";
}

/** In this order, because the User-Agent of many browsers also names other browsers. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bYaBrowser\//, "Yandex"],
  [/\bDuckDuckGo\//, "DuckDuckGo"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMacintosh\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** Limit of what is stored and parsed: parsing 16 kB would take an eighth of a second. */
export const maxUserAgentLength = 256;

/** In German, e.g. `Firefox auf Android`. */
export function describeDevice(userAgent: string): string {
  const text = userAgent.slice(0, maxUserAgentLength);
  const [browser, system] = [browsers, systems].map((kinds) => kinds.find(([pattern]) => pattern.test(text))?.[1]);
  if (browser && system) return `${browser} auf ${system}`;
  return browser ?? (system ? `Browser auf ${system}` : "Unbekanntes Gerät");
}

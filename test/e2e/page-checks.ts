import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Window sizes and settings for the checks. Colours depend only on the scheme, and the layout only
 * on width and text size, so other combinations would add nothing.
 */
const views = [
  { width: 320, colorScheme: "dark", textSize: "100%", withAxe: false },
  { width: 390, colorScheme: "dark", textSize: "200%", withAxe: false },
  { width: 390, colorScheme: "light", textSize: "100%", withAxe: true },
  { width: 1280, colorScheme: "dark", textSize: "100%", withAxe: true },
] as const;

const features = join(import.meta.dirname, "../../web/features");
const routeFiles = globSync("*/route.tsx", { cwd: features }).map((path) => readFileSync(join(features, path), "utf8"));
const routes = [...routeFiles.join("\n").matchAll(/path: "([^"]+)",.*?who: ("\w+"|\[[^\]]+\])/gs)].map(
  ([, path, who]) => ({
    path: path!.replace("$id", "1"),
    isForVisitors: /guest|everyone/.test(who!),
  }),
);

/**
 * All paths of the route table for guests, and an unknown path; new routes are checked
 * automatically.
 */
export const guestPaths = [
  ...routes.filter(({ isForVisitors }) => isForVisitors).map(({ path }) => path),
  "/gibt/es/nicht",
];
/** All paths of the route table for members, except the dashboard, which redirects to the counter. */
export const memberPaths = routes
  .filter(({ path, isForVisitors }) => !isForVisitors && path !== "/dashboard")
  .map(({ path }) => path);

/** Opens a page, waits until its data has loaded, and checks it. */
export async function openAndCheck(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  await expect.poll(() => page.title()).toMatch(/^.+ – Stammtisch$/);
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await checkPage(page, path);
}

/**
 * Checks a page at several widths, colour schemes and text sizes. Fails on horizontal overflow,
 * violations of the Content-Security-Policy, and serious accessibility violations.
 */
export async function checkPage(page: Page, what: string): Promise<void> {
  for (const { width, colorScheme, textSize, withAxe } of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), textSize);
    const where = `${what} at ${width} px, ${colorScheme}, text ${textSize}`;
    await expect.poll(() => page.evaluate(findOverhang), { message: where }).toEqual([]);
    if (withAxe) expect(await seriousViolations(page), where).toEqual([]);
  }
  expect(await page.evaluate(() => (window as WindowWithViolations).violations), what).toEqual([]);
}

/**
 * Returns a message if the document is wider than the window, and one for each control or text that
 * overflows the window, except scrollable and ellipsized ones. Decoration may overflow. Runs in the
 * page.
 */
export function findOverhang(): string[] {
  const { scrollWidth } = document.documentElement;
  const faults = scrollWidth > innerWidth ? [`The page is ${scrollWidth} px wide.`] : [];
  const boxOf = (text: Node): DOMRect => {
    const range = document.createRange();
    range.selectNode(text);
    return range.getBoundingClientRect();
  };
  const hangsOver = ({ left, right }: DOMRect): boolean => left < -1 || right > innerWidth + 1;
  const overflowOf = (element: Element): string => getComputedStyle(element).overflowX;
  const isScrolled = (element: Element | null): boolean =>
    element !== null &&
    !element.matches("main, dialog, body") &&
    (["auto", "scroll"].includes(overflowOf(element)) || isScrolled(element.parentElement));

  for (const element of document.body.querySelectorAll("*")) {
    const texts = [...element.childNodes].filter((node) => node instanceof Text && node.data.trim() !== "");
    if (texts.length === 0 && !element.matches("a, button, input, select, textarea")) continue;
    const boxes = [element.getBoundingClientRect(), ...texts.map(boxOf)];
    // Reads styles only for the few boxes that overflow, because reading styles is slow.
    if (!boxes.some(hangsOver)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isScrolled(element)) continue;
    for (const box of overflowOf(element) === "visible" ? boxes : boxes.slice(0, 1))
      if (hangsOver(box)) faults.push(`"${element.textContent}" reaches from ${box.left} to ${box.right}.`);
  }
  return faults;
}

type WindowWithTapDelay = typeof window & { tapDelay: Promise<number> };

/**
 * Measures the milliseconds from the moment when the page with this heading is visible until a tap
 * hits the middle of the control. Runs in the page.
 */
export function startTapWatch({ heading, control }: { heading: string; control: string }): void {
  const isHit = (element: Element): boolean => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  };
  (window as WindowWithTapDelay).tapDelay = new Promise((resolve) => {
    let seenAt: number | undefined;
    const look = (): void => {
      const element = document.querySelector(control);
      if (document.querySelector("main h1")?.textContent === heading && element !== null) {
        const isReached = isHit(element);
        const now = performance.now();
        seenAt ??= now;
        if (isReached) return resolve(now - seenAt);
      }
      requestAnimationFrame(look);
    };
    look();
  });
}

/**
 * Returns the milliseconds that `startTapWatch` has measured, once the control can be tapped. Runs in
 * the page.
 */
export function readTapDelay(): Promise<number> {
  return (window as WindowWithTapDelay).tapDelay;
}

/** Returns the serious and critical accessibility violations with their elements. */
export async function seriousViolations(page: Page): Promise<string[]> {
  const violations = await findAxeViolations(page);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

export async function findAxeViolations(page: Page): Promise<Result[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as typeof window & { axe: typeof axe }).axe.run(document, { resultTypes: ["violations"] }),
  );
  return violations;
}

type WindowWithViolations = typeof window & { violations: string[] };

/** Records violations of the Content-Security-Policy; call it before the page is opened. */
export async function recordPolicyViolations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const violations: string[] = [];
    (window as WindowWithViolations).violations = violations;
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      violations.push(`${violatedDirective}: ${blockedURI}`),
    );
  });
}

/** Sets the group's name in the header. Runs in the page. */
export function showGroupName(name: string): void {
  document.querySelector("header a > span")!.textContent = name;
}

/** Group names with 5, 15, 34 and 40 letters. */
export const groupNames = [
  "Tresn",
  "Freitagsrunde 7",
  "Stammtisch zur alten Post in Aying",
  "Stammtisch zur alten Post in Miesbachtal",
] as const;

/**
 * Returns a message for each header control that is cut off, outside the window or covered. The names of the group and of the
 * member may end with an ellipsis. Runs in the page.
 */
export function findHeaderFaults(): string[] {
  const faults: string[] = [];
  for (const control of document.querySelectorAll("header :is(a, button):not([inert] *, [popover] *)")) {
    if (!control.checkVisibility({ visibilityProperty: true })) continue;
    const name = control.ariaLabel ?? control.textContent;
    const { left, right, top, bottom } = control.getBoundingClientRect();
    if (left < 0 || right > innerWidth) faults.push(`"${name}" reaches from ${left} to ${right}.`);
    if (control.scrollWidth > control.clientWidth + 1) faults.push(`"${name}" is cut.`);
    const hit = (x: number): boolean => control.contains(document.elementFromPoint(x, (top + bottom) / 2));
    if (!hit(left + 4) || !hit(right - 4)) faults.push(`"${name}" is covered.`);
  }
  return faults;
}

/** Returns `true` if the member's name in the header ends with an ellipsis. Runs in the page. */
export function isMemberNameShortened(): boolean {
  const { scrollWidth, clientWidth } = document.querySelector("header button .one-line")!;
  return scrollWidth > clientWidth;
}

/** Returns the visible links of the header. Runs in the page. */
export function readHeaderLinks(): string[] {
  const links = [...document.querySelectorAll("header nav[aria-label=Seiten] a")];
  return links.filter((link) => link.checkVisibility()).map((link) => link.textContent);
}

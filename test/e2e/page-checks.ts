import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import axe, { type Result } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Colours hang on the scheme, layout on width and size of the text; looking at every pair would only take longer. */
const views = [
  { width: 320, colorScheme: "dark", textSize: "100%", withAxe: false },
  { width: 390, colorScheme: "dark", textSize: "200%", withAxe: false },
  { width: 390, colorScheme: "light", textSize: "100%", withAxe: true },
  { width: 1280, colorScheme: "dark", textSize: "100%", withAxe: true },
] as const;

const features = join(import.meta.dirname, "../../web/features");
const routeFiles = globSync("*/route.tsx", { cwd: features }).map((path) => readFileSync(join(features, path), "utf8"));
const routes = [...routeFiles.join("\n").matchAll(/path: "([^"]+)",\s+who: ("\w+"|\[[^\]]+\])/g)].map(
  ([, path, who]) => ({
    path: path!,
    isForVisitors: /guest|everyone/.test(who!),
  }),
);

/** Every address of the route table, so that a new page is looked at without anybody thinking of it; and one of no page. */
export const guestPaths = [
  ...routes.filter(({ isForVisitors }) => isForVisitors).map(({ path }) => path),
  "/gibt/es/nicht",
];
/** Without the dashboard, which leads to the counter. */
export const memberPaths = routes
  .filter(({ path, isForVisitors }) => !isForVisitors && path !== "/dashboard")
  .map(({ path }) => path);

/** Opens a page and inspects it once everything on it is there. */
export async function openAndCheck(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  await expect.poll(() => page.title()).toMatch(/^.+ – Stammtisch$/);
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await checkPage(page, path);
}

/** Narrow and wide, light and dark, text twice as large: nothing scrolls sideways, nothing is refused by the policy, everybody can use it. */
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
 * The document where it is wider than the window; controls and texts that hang over its edges, unless they can be scrolled
 * to or end with an ellipsis. Decoration may hang over. Runs in the page.
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
    // Styles take longer than boxes, and are needed for the few that hang over alone.
    if (!boxes.some(hangsOver)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || isScrolled(element)) continue;
    for (const box of overflowOf(element) === "visible" ? boxes : boxes.slice(0, 1))
      if (hangsOver(box)) faults.push(`"${element.textContent}" reaches from ${box.left} to ${box.right}.`);
  }
  return faults;
}

type WindowWithTapDelay = typeof window & { tapDelay: Promise<number> };

/**
 * Measures, from the moment the page with this heading is seen, how many milliseconds pass until a tap on the middle of a
 * control hits it. Runs in the page.
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
        seenAt ??= performance.now();
        if (isHit(element)) return resolve(performance.now() - seenAt);
      }
      requestAnimationFrame(look);
    };
    look();
  });
}

/** What `startTapWatch` has measured. Runs in the page. */
export function readTapDelay(): Promise<number> {
  return (window as WindowWithTapDelay).tapDelay;
}

/** What keeps people out, with the place where it is. */
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

/** Writes down what the Content-Security-Policy refuses; call it before the page is opened. */
export async function recordPolicyViolations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const violations: string[] = [];
    (window as WindowWithViolations).violations = violations;
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      violations.push(`${violatedDirective}: ${blockedURI}`),
    );
  });
}

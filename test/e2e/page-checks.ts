import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, type Page } from "@playwright/test";
import axe, { type Result } from "axe-core";

interface View {
  readonly width: number;
  readonly colorScheme: "dark" | "light";
  readonly textSize: "100%" | "200%";
  /** The rules of axe: colours depend only on the scheme, and everything else mostly on the page. */
  readonly axe: "none" | "colours" | "all";
}

/** Window sizes and settings, in which every page is checked. */
const views: readonly View[] = [
  { width: 320, colorScheme: "dark", textSize: "100%", axe: "colours" },
  { width: 390, colorScheme: "light", textSize: "200%", axe: "none" },
  { width: 1280, colorScheme: "light", textSize: "100%", axe: "all" },
];

/** Further views that rarely find more, in which every page is checked at night. */
const furtherViews: readonly View[] = [
  { width: 390, colorScheme: "dark", textSize: "200%", axe: "none" },
  { width: 390, colorScheme: "light", textSize: "100%", axe: "all" },
  { width: 1280, colorScheme: "dark", textSize: "100%", axe: "all" },
];

export const isNightly = process.env["NIGHTLY"] === "1";
/** Every view, for pages whose parts are on all others, e.g. the header. */
export const allViews: readonly View[] = [...views, ...furtherViews];
const usualViews = isNightly ? allViews : views;

const routeTable = readFileSync(join(import.meta.dirname, "../../web/app/routes.tsx"), "utf8");
const routes = routeTable
  // The audience of a link may differ from that of its page.
  .replaceAll(/link: \{[^}]+\}/g, "")
  .split("createRoute({")
  .flatMap((route) => {
    const [, path] = /path: "([^"]+)"/.exec(route) ?? [];
    const [, title] = /title: "([^"]+)"/.exec(route) ?? [];
    // Routes without a title redirect.
    if (path === undefined || title === undefined) return [];
    return { path: path.replace("$id", "1"), isForVisitors: /who: "(guest|everyone)"/.test(route), title };
  });

/**
 * All paths of the route table for guests, and an unknown path; new routes are checked
 * automatically.
 */
export const guestPaths = [
  ...routes.filter(({ isForVisitors }) => isForVisitors).map(({ path }) => path),
  "/gibt/es/nicht",
];
/** All paths of the route table for members. */
export const memberPaths = routes.filter(({ isForVisitors }) => !isForVisitors).map(({ path }) => path);

interface CheckOptions {
  readonly chosen?: readonly View[] | undefined;
  /** Selector of what axe checks, e.g. a dialog over a page that is checked elsewhere; by default the whole page. */
  readonly within?: string;
  /** Checks something else of the page in a view. */
  readonly inspect?: (view: View) => Promise<void>;
}

/** Opens a page, waits until its data has loaded, and checks it. */
export async function openAndCheck(page: Page, path: string, options: CheckOptions = {}): Promise<void> {
  await show(page, orderFor(page, options.chosen ?? usualViews)[0]!);
  await open(page, path);
  await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  await expect.poll(() => page.title()).toMatch(/^.+ – Stammtisch$/);
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  await checkPage(page, path, options);
}

/**
 * Opens a page like a link does, because that takes a quarter of the time of a page load. Loads the page if that is the
 * first one, or if its title would not tell it from the previous one.
 */
async function open(page: Page, path: string): Promise<void> {
  const title = routes.find((route) => route.path === path)?.title;
  const isLoaded = !isNightly && page.url().startsWith("http");
  if (!isLoaded || title === undefined || (await page.title()).startsWith(title)) return void (await page.goto(path));
  await page.evaluate((to) => history.pushState({}, "", to), path);
  await expect.poll(() => page.title()).toContain(title);
}

/**
 * Checks a page in several views. Fails on horizontal overflow, covered controls, and serious accessibility
 * violations.
 */
export async function checkPage(page: Page, what: string, options: CheckOptions = {}): Promise<void> {
  const { chosen = usualViews, within, inspect } = options;
  for (const view of orderFor(page, chosen)) {
    await show(page, view);
    const where = `${what} at ${view.width} px, ${view.colorScheme}, text ${view.textSize}`;
    await expect.poll(() => page.evaluate(findOverhang), { message: where }).toEqual([]);
    await inspect?.(view);
    if (view.axe === "none") continue;
    await expect.poll(() => page.evaluate(findCoveredControls), { message: where }).toEqual([]);
    const rules = view.axe === "colours" ? ["color-contrast"] : [];
    expect(await seriousViolations(page, { rules, within }), where).toEqual([]);
  }
}

async function show(page: Page, { width, colorScheme, textSize }: View): Promise<void> {
  // At once, so that the browser draws the page once.
  await Promise.all([
    page.setViewportSize({ width, height: 800 }),
    page.emulateMedia({ colorScheme }),
    page.evaluate((size) => (document.documentElement.style.fontSize = size), textSize),
  ]);
}

/** Returns the views with the current one first, if the page was checked before, to draw the page less often. */
function orderFor(page: Page, chosen: readonly View[]): readonly View[] {
  return page.viewportSize()?.width === chosen.at(-1)!.width ? chosen.toReversed() : chosen;
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
    if (element.closest(".visually-hidden") !== null) continue;
    for (const box of overflowOf(element) === "visible" ? boxes : boxes.slice(0, 1))
      if (hangsOver(box)) faults.push(`"${element.textContent}" reaches from ${box.left} to ${box.right}.`);
  }
  return faults;
}

/**
 * Returns a message for each control that a pointer does not reach at its middle or near its
 * corners, after scrolling the control into view. Runs in the page.
 */
export function findCoveredControls(): string[] {
  const faults: string[] = [];
  const place = [scrollX, scrollY] as const;
  const scope = [...document.querySelectorAll("dialog[open], [popover=auto]:popover-open")].at(-1) ?? document;
  const controls = "a[href], button, input, select, textarea, summary, [role=tab], [role^=menuitem]";
  for (const control of document.querySelectorAll<HTMLElement>(controls)) {
    if (!scope.contains(control)) continue;
    if (control.closest("[inert]") !== null || !control.checkVisibility({ visibilityProperty: true })) continue;
    const labels = "labels" in control ? [...(control as HTMLInputElement).labels!] : [];
    // A switch or a choice hides its input and shows the label instead.
    const isInputHidden =
      labels.length > 0 && (control.offsetWidth < 8 || !control.checkVisibility({ opacityProperty: true }));
    const target = isInputHidden ? labels[0]! : control;
    target.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    // A small button may lie on a field or picture, e.g. to show the password or to delete the picture.
    const onTop = [...target.parentElement!.querySelectorAll(":scope > button")].filter(
      (button) => getComputedStyle(button).position === "absolute",
    );
    const reaches = (hit: Element | null): boolean =>
      hit !== null && [control, ...labels, ...onTop].some((element) => element.contains(hit));
    const name = control.ariaLabel ?? (control.textContent.trim() || labels[0]?.textContent || control.id);
    for (const { left, right, top, bottom, width, height } of target.getClientRects()) {
      if (width < 8 || height < 8) continue;
      const { borderTopLeftRadius: radius } = getComputedStyle(target);
      const pixels = radius.endsWith("%") ? width / 2 : Number.parseFloat(radius);
      const inset = 3 + 0.3 * Math.min(pixels, width / 2, height / 2);
      const points = [
        [(left + right) / 2, (top + bottom) / 2],
        ...[left + inset, right - inset].flatMap((x) => [top + inset, bottom - inset].map((y) => [x, y])),
      ] as [number, number][];
      for (const [x, y] of points) {
        if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
        const hit = document.elementFromPoint(x, y);
        if (!reaches(hit)) {
          faults.push(`"${name}" is covered at ${Math.round(x)}, ${Math.round(y)} by ${hit?.outerHTML.slice(0, 100)}`);
          break;
        }
      }
    }
  }
  scrollTo(...place);
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

interface AxeOptions {
  /** Names of rules; by default all. */
  readonly rules?: readonly string[];
  readonly within?: string | undefined;
}

/** Returns the serious and critical accessibility violations with their elements. */
export async function seriousViolations(page: Page, options?: AxeOptions): Promise<string[]> {
  const violations = await findAxeViolations(page, options);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

export async function findAxeViolations(page: Page, { rules = [], within }: AxeOptions = {}): Promise<Result[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options = { resultTypes: ["violations" as const], ...(rules.length > 0 && { runOnly: [...rules] }) };
  const { violations } = await page.evaluate(
    ([where, how]) => (window as typeof window & { axe: typeof axe }).axe.run(where ?? document, how),
    [within, options] as const,
  );
  return violations;
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

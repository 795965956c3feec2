import type { WebDriver } from "selenium-webdriver";

import type { E2eApp } from "#test/e2e/e2e-app.ts";

/**
 * An element as the user sees it. Lengths are in CSS pixels, and positions relative to the upper
 * left corner of the viewport.
 */
export interface ElementState {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly opacity: number;
  readonly text: string;
  /** `true` if the element is entirely in the viewport. */
  readonly isInWindow: boolean;
  /** `true` if the element does not move and its middle is not covered. */
  readonly isTappable: boolean;
}

/** Runs a function, which may be async and cannot use variables from outside, in the page. */
export function evaluate<Args extends readonly unknown[], Result>(
  browser: WebDriver,
  run: (...args: Args) => Result | Promise<Result>,
  ...args: Args
): Promise<Result> {
  return browser.executeScript<Result>(run, ...args);
}

/** Opens a page and waits until the app has started. */
export async function open(browser: WebDriver, url: string): Promise<void> {
  await browser.get(url);
  const hasStarted = () => evaluate(browser, () => document.querySelector("#skeleton") === null || null);
  await waitFor(browser, hasStarted, `${url} has not started`);
  await evaluate(browser, recordMessages);
}

/** A page that records its errors and warnings until it is left. */
export type Recorded = typeof globalThis & { messages?: string[] };

/** Runs in the page. */
function recordMessages(): void {
  const messages: string[] = [];
  (globalThis as Recorded).messages = messages;
  const record = (...words: unknown[]): void => void messages.push(words.join(" "));
  Object.assign(console, { error: record, warn: record });
  addEventListener("error", ({ message }) => record(message));
  addEventListener("unhandledrejection", ({ reason }) => record(reason));
}

/** Logs a member in without the form, and opens a page. */
export async function logIn(browser: WebDriver, app: E2eApp, key: string, path = "/beercounter"): Promise<void> {
  const { cookies } = await app.loggedInClient(key);
  // The browser accepts cookies only for the server of the current page.
  await browser.get(`${app.url}/robots.txt`);
  for (const [name, value] of cookies) await browser.manage().addCookie({ name, value });
  await open(browser, app.url + path);
}

/**
 * Returns the first visible element that matches the CSS selector and, if given, the accessible
 * name; `null` if no element matches.
 */
export function findElement(
  browser: WebDriver,
  selector: string,
  name: string | null = null,
): Promise<ElementState | null> {
  return evaluate(browser, inspectElement, selector, name, false);
}

/** Resolves to an element once it is visible, even while it moves. */
export function waitUntilSeen(browser: WebDriver, selector: string): Promise<ElementState> {
  return waitFor(browser, () => findElement(browser, selector), `${selector} is not visible`);
}

/** Resolves to an element once a tap on its middle hits it. Scrolls to the element if necessary. */
export function waitUntilTappable(
  browser: WebDriver,
  selector: string,
  name: string | null = null,
): Promise<ElementState> {
  const inspect = async () => {
    const state = await evaluate(browser, inspectElement, selector, name, true);
    return state?.isTappable ? state : null;
  };
  return waitFor(browser, inspect, `${selector} ${name ?? ""} cannot be tapped`);
}

/** Resolves to the first value that is not `null`. */
async function waitFor<Value>(browser: WebDriver, read: () => Promise<Value | null>, problem: string): Promise<Value> {
  return (await browser.wait(read, 15_000, problem, 50))!;
}

/** Taps the middle of an element. */
export async function click(browser: WebDriver, selector: string, name: string | null = null): Promise<void> {
  await tap(browser, await waitUntilTappable(browser, selector, name));
}

/** Taps the middle of an element's last known position, even if another element is now at that position. */
export async function tap(browser: WebDriver, { x, y, width, height }: ElementState): Promise<void> {
  const place = { x: Math.round(x + width / 2), y: Math.round(y + height / 2), duration: 0 };
  await browser.actions().move(place).press().release().perform();
}

/** Types a text into the field with this label. */
export async function fill(browser: WebDriver, label: string, text: string): Promise<void> {
  await click(browser, "input, textarea", label);
  await press(browser, text);
}

/** Presses keys one after the other. */
export async function press(browser: WebDriver, ...values: readonly string[]): Promise<void> {
  await browser
    .actions()
    .sendKeys(...values)
    .perform();
}

/** Measures an element in two frames, to detect whether it moves. Runs in the page. */
async function inspectElement(selector: string, name: string | null, mayScroll: boolean): Promise<ElementState | null> {
  function nameOf(element: Element): string {
    const titleId = element.getAttribute("aria-labelledby");
    const label = titleId === null ? (element as HTMLInputElement).labels?.[0] : document.getElementById(titleId);
    return (element.ariaLabel ?? (label ?? element).textContent ?? "").trim();
  }
  function isVisible(element: Element): boolean {
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  }
  function measure(element: Element) {
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x, y, width, height, opacity: Number(getComputedStyle(element).opacity) };
  }
  // Avoids `document.getAnimations()`, which crashes WebKit while pages change.
  function isAnimated(element: Element | null): boolean {
    if (element === null) return false;
    return (
      element.getAnimations().some(({ playState }) => playState === "running") || isAnimated(element.parentElement)
    );
  }
  const found = [...document.querySelectorAll(selector)].find(
    (element) => isVisible(element) && (name === null || nameOf(element) === name),
  );
  if (!found) return null;
  const wasAnimated = isAnimated(found);
  const before = measure(found);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  if (!isVisible(found)) return null;

  const now = measure(found);
  const { x, y, width, height } = now;
  // `null` if the middle of the element is outside the viewport.
  const atMiddle = document.elementFromPoint(x + width / 2, y + height / 2);
  if (atMiddle === null && mayScroll) found.scrollIntoView({ block: "center", behavior: "instant" });
  // Checks the animation as well, because WebKit may report the same box for several frames while
  // an animation runs.
  const isStill = !wasAnimated && !isAnimated(found) && JSON.stringify(now) === JSON.stringify(before);
  return {
    ...now,
    text: found.textContent ?? "",
    isInWindow: x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight,
    isTappable: isStill && found.contains(atMiddle),
  };
}

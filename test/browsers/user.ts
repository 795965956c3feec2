import { expect, vi } from "vitest";

import type { Browser } from "./browser.ts";

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

/**
 * Milliseconds until waiting for an element fails (`timeout`), and between two attempts
 * (`interval`).
 */
const waitOptions = { timeout: 10_000, interval: 50 };

/**
 * Returns the first visible element that matches the CSS selector and, if given, the accessible
 * name; `null` if no element matches.
 */
export function findElement(
  browser: Browser,
  selector: string,
  name: string | null = null,
): Promise<ElementState | null> {
  return browser.evaluate(inspectElement, selector, name, false);
}

/** Resolves to an element once it is visible, even while it moves. */
export function waitUntilSeen(browser: Browser, selector: string): Promise<ElementState> {
  return vi.waitFor(async () => {
    const state = await findElement(browser, selector);
    expect(state, selector).not.toBeNull();
    return state!;
  }, waitOptions);
}

/** Resolves to an element once a tap on its middle hits it. Scrolls to the element if necessary. */
export function waitUntilTappable(
  browser: Browser,
  selector: string,
  name: string | null = null,
): Promise<ElementState> {
  return vi.waitFor(async () => {
    const state = await browser.evaluate(inspectElement, selector, name, true);
    expect(state, `${selector} ${name ?? ""}`).toMatchObject({ isTappable: true });
    return state!;
  }, waitOptions);
}

/** Taps the middle of an element. */
export async function click(browser: Browser, selector: string, name: string | null = null): Promise<void> {
  await tap(browser, await waitUntilTappable(browser, selector, name));
}

/** Taps the middle of an element's last known position, even if another element is now at that position. */
export async function tap(browser: Browser, { x, y, width, height }: ElementState): Promise<void> {
  await browser.performActions([
    {
      type: "pointer",
      id: "pointer",
      actions: [
        { type: "pointerMove", x: Math.round(x + width / 2), y: Math.round(y + height / 2) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    },
  ]);
}

/** Types a text into the field with this label. */
export async function fill(browser: Browser, label: string, text: string): Promise<void> {
  await click(browser, "input, textarea", label);
  await press(browser, ...text);
}

/** WebDriver codes of the keys that type no character. */
export const keys = {
  tab: "\uE004",
  enter: "\uE007",
  escape: "\uE00C",
  end: "\uE010",
  right: "\uE014",
  down: "\uE015",
};

/** Presses keys one after the other. */
export async function press(browser: Browser, ...values: readonly string[]): Promise<void> {
  const actions = values.flatMap((value) => (["keyDown", "keyUp"] as const).map((type) => ({ type, value })));
  await browser.performActions([{ type: "key", id: "keyboard", actions }]);
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

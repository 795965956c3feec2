import { expect, vi } from "vitest";

import type { Browser } from "./browser.ts";

/** An element as the user sees it; lengths in CSS pixels from the upper left corner of the window. */
export interface ElementState {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly opacity: number;
  readonly text: string;
  /** The window shows it whole. */
  readonly isInWindow: boolean;
  /** It does not move, and nothing covers its middle. */
  readonly isTappable: boolean;
}

/** How long an element may take to become tappable, in milliseconds. */
const waitOptions = { timeout: 10_000, interval: 50 };

/** The first visible element that the CSS selector finds, with this accessible name if one is given; null without one. */
export function findElement(
  browser: Browser,
  selector: string,
  name: string | null = null,
): Promise<ElementState | null> {
  return browser.evaluate(inspectElement, selector, name, false);
}

/** Resolves to an element as soon as the user sees it, even while it moves. */
export function waitUntilSeen(browser: Browser, selector: string): Promise<ElementState> {
  return vi.waitFor(async () => {
    const state = await findElement(browser, selector);
    expect(state, selector).not.toBeNull();
    return state!;
  }, waitOptions);
}

/** Resolves to an element as soon as a tap hits it, scrolling there if need be. */
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

/** Taps the middle of where an element was, whatever is there by now. */
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

/** What WebDriver has for keys that are no characters. */
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

/** Runs in the page, for two frames. */
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
  // Not document.getAnimations(): WebKit crashes over it while pages change.
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
  // It is null outside of the window.
  const atMiddle = document.elementFromPoint(x + width / 2, y + height / 2);
  if (atMiddle === null && mayScroll) found.scrollIntoView({ block: "center", behavior: "instant" });
  // While an animation runs, WebKit may report the same box for several frames.
  const isStill = !wasAnimated && !isAnimated(found) && JSON.stringify(now) === JSON.stringify(before);
  return {
    ...now,
    text: found.textContent ?? "",
    isInWindow: x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight,
    isTappable: isStill && found.contains(atMiddle),
  };
}

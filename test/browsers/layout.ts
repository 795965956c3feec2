import { expect } from "@playwright/test";

import { findOverhang } from "#test/e2e/page-checks.ts";

/**
 * Waits until no content overflows the window, no element covers the header, and open dialogs and
 * popovers are entirely visible. `evaluate` runs a function in the page.
 */
export async function expectSoundLayout(evaluate: (find: () => string[]) => Promise<string[]>): Promise<void> {
  await expect.poll(() => evaluate(findOverhang)).toEqual([]);
  await expect.poll(() => evaluate(findLayoutFaults)).toEqual([]);
}

/** Returns a message for each layout fault. Runs in the page. */
function findLayoutFaults(): string[] {
  const nameOf = (element: Element): string => `${element.localName}.${element.className}`;
  const faults: string[] = [];
  for (const element of document.querySelectorAll("dialog[open], :popover-open")) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (Math.min(left, top, innerWidth - right, innerHeight - bottom) < -1) {
      faults.push(`${nameOf(element)} reaches from ${left}, ${top} to ${right}, ${bottom}.`);
    }
    const { overflowY } = getComputedStyle(element);
    if (element.scrollHeight > element.clientHeight && !["auto", "scroll"].includes(overflowY)) {
      faults.push(`${nameOf(element)} cuts its content off.`);
    }
  }

  const header = document.querySelector("header");
  // Skips the header if a dialog is open, because `elementFromPoint` then finds nothing of the page
  // below the dialog.
  if (header === null || document.querySelector("dialog[open]") !== null) return faults;
  const { top, height } = header.getBoundingClientRect();
  for (let x = 10; x < innerWidth; x += 20) {
    const above = document.elementFromPoint(x, top + height / 2);
    if (above !== null && !header.contains(above)) faults.push(`${nameOf(above)} covers the header.`);
  }
  return faults;
}

/**
 * Returns the number of lines that the word "Game-Server" of a switch's label takes on the page of
 * notifications. Runs in the page.
 */
export function countLinesOfGameServer(): number {
  const labels = [...document.querySelectorAll("label")];
  const text = labels.find((label) => label.textContent.includes("Game-Server"))!.lastChild!;
  const word = document.createRange();
  word.setStart(text, text.textContent!.indexOf("Game-Server"));
  word.setEnd(text, word.startOffset + "Game-Server".length);
  return new Set([...word.getClientRects()].map(({ top }) => top)).size;
}

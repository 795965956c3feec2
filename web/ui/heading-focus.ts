/**
 * Moves the focus from a removed element to the heading of its section or page, so that keyboard and screen reader
 * users continue there.
 */
export function focusHeading(leaving: Element): void {
  const id = leaving.parentElement?.closest("[aria-labelledby]")?.getAttribute("aria-labelledby");
  const heading = id ? document.getElementById(id) : document.querySelector<HTMLElement>("main h1");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

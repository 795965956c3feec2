/** Moves the focus from an element that is about to be removed to the heading of its section or page. */
export function focusHeading(leaving: Element): void {
  const id = leaving.parentElement?.closest("[aria-labelledby]")?.getAttribute("aria-labelledby");
  const heading = id ? document.getElementById(id) : document.querySelector<HTMLElement>("main h1");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Gives the focus to the heading above an element that goes: nobody sees that, but keys and screen readers go on from there. */
export function focusHeading(leaving: Element): void {
  const id = leaving.parentElement?.closest("[aria-labelledby]")?.getAttribute("aria-labelledby");
  const heading = id ? document.getElementById(id) : document.querySelector<HTMLElement>("main h1");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

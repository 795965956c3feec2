/**
 * Keeps elements focused with the Tab key clear of the header: WebKit scrolls only to a field's caret, and Chromium
 * ignores partly visible elements. After a click, scrolling would move elements under the mouse.
 */
export function revealFocus(): void {
  addEventListener("keyup", ({ code }) => {
    if (code === "Tab") document.activeElement?.scrollIntoView({ block: "nearest" });
  });
}

/**
 * Keeps elements focused with the Tab key clear of the header: WebKit only scrolls
 * to a field's caret, and Chromium ignores partly visible elements. Other ways to focus are
 * ignored, because scrolling would move elements under a mouse.
 */
export function revealFocus(): void {
  addEventListener("keyup", ({ code }) => {
    if (code === "Tab") document.activeElement?.scrollIntoView({ block: "nearest" });
  });
}

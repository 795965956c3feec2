/**
 * Keeps elements focused by Tab clear of the header and of notices: WebKit only scrolls to a field's caret, and Chromium ignores
 * partly visible elements. Not on every focus, which would move elements under a mouse.
 */
export function revealFocus(): void {
  addEventListener("keyup", ({ code }) => {
    if (code === "Tab") document.activeElement?.scrollIntoView({ block: "nearest" });
  });
}

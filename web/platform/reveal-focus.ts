/**
 * Keeps what gets the focus by Tab clear of the header and of notices, as base.css wants it: WebKit only brings the caret of a
 * field into the window, and Chromium leaves what is partly seen where it is. Not on every focus, or it would move under a mouse.
 */
export function revealFocus(): void {
  addEventListener("keyup", ({ code }) => {
    if (code === "Tab") document.activeElement?.scrollIntoView({ block: "nearest" });
  });
}

import { showFlash } from "#web/shell/flash.tsx";

/** Copies a text and confirms it; if the browser forbids copying, selects the element that shows the text. */
export async function copyText(
  text: string,
  element: Element | null,
  messages: { readonly copied: string; readonly selected: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showFlash({ type: "success", text: messages.copied });
  } catch {
    // Only https pages may write to the clipboard.
    if (element) getSelection()?.selectAllChildren(element);
    showFlash({ type: "info", text: messages.selected });
  }
}

import { showFlash } from "#web/shell/flash.tsx";

/**
 * Copies a text and shows a confirmation. If the browser forbids copying, selects the element that
 * shows the text instead.
 */
export async function copyText(
  text: string,
  element: Element | null,
  messages: { readonly copied: string; readonly selected: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showFlash({ type: "success", text: messages.copied });
  } catch {
    // Browsers allow writing to the clipboard only on https pages.
    if (element) getSelection()?.selectAllChildren(element);
    showFlash({ type: "info", text: messages.selected });
  }
}

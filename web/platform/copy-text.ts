import { showFlash } from "./flash.tsx";

/** Copies a text and says so; where the browser forbids it, selects the element that shows it, to be copied by hand. */
export async function copyText(
  text: string,
  element: Element | null,
  messages: { readonly copied: string; readonly selected: string },
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showFlash({ type: "success", text: messages.copied });
  } catch {
    // Only pages of a secure address may write to the clipboard.
    if (element) getSelection()?.selectAllChildren(element);
    showFlash({ type: "info", text: messages.selected });
  }
}

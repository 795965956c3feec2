import { use, useLayoutEffect, useState } from "react";

declare global {
  /** Settles when the visitor has released the pressed control of the placeholder; set by web/public/start.js. */
  var placeholderPress: Promise<void> | undefined;
}

/**
 * Replaces the placeholder without losing input: waits until no control of the placeholder is pressed, then copies typed
 * text and the focus into the app, and sends a form that was sent in the placeholder. Must be the last component, so that
 * React replaces the placeholder in the same task in which this component reads the input.
 */
export function Handover(): null {
  if (globalThis.placeholderPress) use(globalThis.placeholderPress);
  const [copyInput] = useState(readInput);
  useLayoutEffect(copyInput, [copyInput]);
  return null;
}

/** Reads the placeholder's input and returns a function that copies the input into the app. */
function readInput(): () => void {
  const form = document.querySelector("#placeholder form[data-early]");
  const fields = form?.querySelectorAll("input") ?? [];
  const focused = document.activeElement?.closest<HTMLElement>("#placeholder *");
  const [start, end] = focused instanceof HTMLInputElement ? [focused.selectionStart, focused.selectionEnd] : [];
  const isSent = form?.hasAttribute("data-sent");
  return () => {
    for (const field of fields) {
      const twin = findTwin(field);
      if (twin) Object.assign(twin, { value: field.value, checked: field.checked });
    }
    const twin = focused && findTwin(focused);
    twin?.focus({ preventScroll: true });
    if (twin instanceof HTMLInputElement && typeof start === "number") twin.setSelectionRange(start, end ?? start);
    if (isSent) document.querySelector<HTMLFormElement>("form[data-early]")?.requestSubmit();
  };
}

function findTwin(element: HTMLElement): HTMLElement | null {
  const name = element.getAttribute("name");
  return document.querySelector(
    name === null
      ? `${element.localName}[data-early="${element.dataset["early"]}"]`
      : `form[data-early] [name="${name}"]`,
  );
}

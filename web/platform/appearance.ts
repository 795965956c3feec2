import { writeDeviceItem } from "./device-storage.ts";
import { createStore, useStore } from "./store.ts";

export const appearances = ["light", "dark", "auto"] as const;
export type Appearance = (typeof appearances)[number];

/** The key and the attribute that `early.js` reads and sets before the first paint. */
const key = "appearance";
const appearance = createStore<Appearance>(parseAppearance(document.documentElement.dataset["appearance"]));

/** The chosen colours; `auto` follows the system. */
export function useAppearance(): Appearance {
  return useStore(appearance);
}

/** Changes the colours at once and remembers the choice on this device. */
export function setAppearance(choice: Appearance): void {
  appearance.set(choice);
  if (choice === "auto") delete document.documentElement.dataset["appearance"];
  else document.documentElement.dataset["appearance"] = choice;
  updateThemeColor(choice);
  writeDeviceItem(key, choice === "auto" ? null : choice);
}

/** What the browser and the phone put around the page has the colours of the page. */
function updateThemeColor(choice: Appearance): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]")) {
    const scheme = meta.dataset["scheme"];
    meta.media = choice === "auto" ? `(prefers-color-scheme: ${scheme})` : choice === scheme ? "all" : "not all";
  }
}

function parseAppearance(value: string | undefined): Appearance {
  return appearances.find((known) => known === value) ?? "auto";
}

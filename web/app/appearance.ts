import { readDeviceItem, writeDeviceItem } from "#web/client/storage.ts";
import { createStore } from "#web/client/store.ts";

const appearances = ["light", "dark", "auto"] as const;
export type Appearance = (typeof appearances)[number];

/** public/start.js also reads it. */
const key = "appearance";
export const appearance = createStore<Appearance>(parseAppearance(readDeviceItem(key)));

export function setAppearance(choice: Appearance): void {
  appearance.set(choice);
  if (choice === "auto") delete document.documentElement.dataset["appearance"];
  else document.documentElement.dataset["appearance"] = choice;
  updateThemeColor(choice);
  writeDeviceItem(key, choice === "auto" ? null : choice);
}

/** Colors the browser's address bar and the phone's status bar. */
function updateThemeColor(choice: Appearance): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[data-scheme]")) {
    const scheme = meta.dataset["scheme"];
    meta.media = choice === "auto" ? `(prefers-color-scheme: ${scheme})` : choice === scheme ? "all" : "not all";
  }
}

function parseAppearance(value: string | null): Appearance {
  return appearances.find((known) => known === value) ?? "auto";
}

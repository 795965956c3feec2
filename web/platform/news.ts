import { createStore } from "./store.ts";

/** `true` while the dialog with the news of the app is open (web/features/news). */
export const isNewsOpen = createStore(false);

export function openNews(): void {
  isNewsOpen.set(true);
}

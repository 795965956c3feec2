import { createStore } from "#web/data/store.ts";

/** `true` while the dialog with the app's news (web/features/group/news.tsx) is open. */
export const isNewsOpen = createStore(false);

export function openNews(): void {
  isNewsOpen.set(true);
}

import { useEffect } from "react";

import { waitingCount } from "#web/data/outbox.ts";

/** Shows the number of unsent beers on the installed app's icon. */
export function useAppBadge(): void {
  useEffect(syncAppBadge, []);
}

/** Keeps the icon's number up to date; returns a function that stops this and clears it. */
export function syncAppBadge(): () => void {
  const show = (): void => void setBadge(waitingCount.get());
  show();
  const stop = waitingCount.subscribe(show);
  return () => {
    stop();
    void setBadge(0);
  };
}

async function setBadge(count: number): Promise<void> {
  try {
    // Missing in browsers without installed apps, despite its type; rejected if the app is not installed.
    if ("setAppBadge" in navigator) await navigator.setAppBadge(count);
  } catch {
    // The page shows the number, too.
  }
}

import { useEffect } from "react";

import { waitingCount } from "#web/data/outbox.ts";

/** Shows the number of unsent beers on the installed app's icon. */
export function useAppBadge(): void {
  useEffect(syncAppBadge, []);
}

/**
 * Shows the number of waiting entries on the app's icon, and updates the number after every change.
 * Returns a function that stops the updates and removes the number.
 */
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
    // `setAppBadge` is missing in browsers that cannot install apps, despite its type. The call is
    // rejected if the app is not installed.
    if ("setAppBadge" in navigator) await navigator.setAppBadge(count);
  } catch {
    // A failure is ignored, because the page shows the number, too.
  }
}

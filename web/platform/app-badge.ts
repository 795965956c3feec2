import { useEffect } from "react";

import { waitingCount } from "./outbox.ts";

/** Shows on the installed app's icon how much waits for the network; nothing else is worth a number there. */
export function useAppBadge(): void {
  useEffect(syncAppBadge, []);
}

/** Keeps the icon's number as it should be from now on. Returns what ends that, and takes the number away. */
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
    // Missing in browsers that install no apps, whatever the types say; refused where the app is not installed.
    if ("setAppBadge" in navigator) await navigator.setAppBadge(count);
  } catch {
    // The page says it too.
  }
}

import { useEffect } from "react";

import { waitingParcels } from "./outbox.ts";
import { useStore } from "./store.ts";

/** Shows on the icon of the installed app how many taps wait for reception, where the system has such numbers. */
export function useAppBadge(): void {
  const waiting = useStore(waitingParcels);
  useEffect(() => showBadge(waiting), [waiting]);
  useEffect(() => () => showBadge(0), []);
}

/** A browser that has the call may still refuse it, e.g. because the app is not installed. */
function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  navigator.setAppBadge(count).catch(() => undefined);
}

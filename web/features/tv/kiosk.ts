import { useEffect, useState } from "react";

import { activateNewVersion, useIsNewVersionReady } from "#web/page/service-worker.ts";

/** Stays awake and up to date; a click enters full screen. */
export function useKiosk(): void {
  const isNewVersionReady = useIsNewVersionReady();
  useEffect(() => {
    if (isNewVersionReady) activateNewVersion();
  }, [isNewVersionReady]);
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isShown = true;
    const stayAwake = async (): Promise<void> => {
      if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
      // The browser refuses e.g. on a low battery: the screen then turns off.
      const granted = await navigator.wakeLock.request("screen").catch(() => undefined);
      if (isShown) lock = granted;
      else await granted?.release();
    };
    const wake = (): void => void stayAwake();
    const fill = (): void => void document.documentElement.requestFullscreen?.().catch(() => undefined);
    wake();
    // The browser releases the wake lock whenever the page is hidden.
    document.addEventListener("visibilitychange", wake);
    document.addEventListener("click", fill);
    return () => {
      isShown = false;
      void lock?.release();
      document.removeEventListener("visibilitychange", wake);
      document.removeEventListener("click", fill);
    };
  }, []);
}

/** Returns `true` if the screen has not been touched for `ms`. */
export function useIsIdle(ms: number, isIdleAtStart: boolean): boolean {
  const [isIdle, setIdle] = useState(isIdleAtStart);
  useEffect(() => {
    let timer = setTimeout(() => setIdle(true), ms);
    const touch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setIdle(true), ms);
      setIdle(false);
    };
    // After the click, so that the touch that wakes the screen does nothing else.
    const events = ["click", "keyup", "scroll"] as const;
    for (const event of events) addEventListener(event, touch, { capture: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) removeEventListener(event, touch, { capture: true });
    };
  }, [ms]);
  return isIdle;
}

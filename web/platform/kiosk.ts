import { useEffect } from "react";

/** For a screen that nobody touches: it never goes dark, and one click fills it. */
export function useKiosk(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    let isShown = true;
    const stayAwake = async (): Promise<void> => {
      if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
      // Refused, say because the battery is low, the screen does what it is set to do.
      const granted = await navigator.wakeLock.request("screen").catch(() => undefined);
      if (isShown) lock = granted;
      else await granted?.release();
    };
    const wake = (): void => void stayAwake();
    const fill = (): void => void document.documentElement.requestFullscreen?.().catch(() => undefined);
    wake();
    // The lock ends whenever the page is hidden.
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

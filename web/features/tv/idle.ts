import { useEffect, useState } from "react";

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

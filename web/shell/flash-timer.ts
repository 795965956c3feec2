type Hold = "pointer" | "focus";

export interface FlashTimer {
  start(): void;
  stop(): void;
  /**
   * Stops the timer until all holds are released. A hold lasts while the pointer is over the flash
   * or the focus is in it.
   */
  hold(what: Hold): void;
  release(what: Hold): void;
}

/** Creates a timer that calls `onEnd` after `duration` ms, not counting the time during holds. */
export function createFlashTimer(duration: number, onEnd: () => void): FlashTimer {
  const holds = new Set<Hold>();
  let left = duration;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): void {
    since = performance.now();
    timer = setTimeout(onEnd, left);
  }
  function stop(): void {
    clearTimeout(timer);
  }
  return {
    start,
    stop,
    hold(what) {
      if (holds.size === 0) left = Math.max(0, left - (performance.now() - since));
      holds.add(what);
      stop();
    },
    release(what) {
      if (holds.delete(what) && holds.size === 0) start();
    },
  };
}

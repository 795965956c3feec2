/** Runs `work` so that every caller gets a run that began after the call, and at most one more run is waiting. */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  return function run(): Promise<void> {
    if (!running) {
      running = work().finally(() => {
        running = null;
      });
      return running;
    }
    const again = (): Promise<void> => {
      next = null;
      return run();
    };
    next ??= running.then(again, again);
    return next;
  };
}

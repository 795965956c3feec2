/**
 * Runs `work` for everybody who asks, and each gets a run that began after asking: there is one under way, and however many ask
 * meanwhile, one more to come.
 */
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

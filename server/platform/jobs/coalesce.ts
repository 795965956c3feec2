/**
 * Coalesces calls that arrive while `work` runs into one further run. Only one run is active at a time, and every result is newer
 * than its call.
 */
export function coalesce<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;

  function start(): Promise<Result> {
    next = null;
    running = work().finally(() => (running = null));
    return running;
  }

  return () => {
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start);
    return next;
  };
}

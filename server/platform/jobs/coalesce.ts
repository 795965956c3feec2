/**
 * Runs `work` once at a time. Calls during a run share the next run, so that each result comes from a run that began
 * after its call.
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

/**
 * Lets everybody who asks while `work` runs wait for one further run together: however many ask, one runs at a time, and no result is
 * older than its question.
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

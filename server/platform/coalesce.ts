/**
 * Lets everybody who asks while `read` runs wait for one further run together: however many ask, one reads at a time, and no answer is
 * older than its question.
 */
export function shareReads<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  let next: Promise<Result> | null = null;

  function start(): Promise<Result> {
    next = null;
    running = read().finally(() => (running = null));
    return running;
  }

  return () => {
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start);
    return next;
  };
}

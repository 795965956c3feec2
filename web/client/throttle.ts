/** Runs `work` at once. Calls during a run cause one more run, at the earliest `pause` ms after the previous start. */
export function throttle(work: () => Promise<unknown>, pause: number): () => void {
  let isRunning = false;
  let isRequested = false;
  async function run(): Promise<void> {
    isRunning = true;
    isRequested = false;
    await Promise.all([work().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, pause))]);
    isRunning = false;
    if (isRequested) void run();
  }
  return () => {
    if (isRunning) isRequested = true;
    else void run();
  };
}

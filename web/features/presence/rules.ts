/** Toasts within this time of the last one are counted in one message, in milliseconds. */
const toastWindow = 5000;

/** Toasts that came close after each other: how many, and when the last one did (any clock in ms). */
export interface Toasts {
  readonly count: number;
  readonly at: number;
}

export function addToast(before: Toasts | null, at: number): Toasts {
  const isTogether = before !== null && at - before.at < toastWindow;
  return { count: isTogether ? before.count + 1 : 1, at };
}

/** "Ben prostet zurück!", of several "3 × Prost zurück". */
export function describeToasts({ count }: Toasts, name: string): string {
  return count === 1 ? `${name} prostet zurück!` : `${count} × Prost zurück`;
}

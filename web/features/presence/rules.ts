/** Milliseconds after a toast during which the next toast is counted in the same message. */
const toastWindow = 5000;

/** Number of toasts in quick succession, and the time of the last toast in milliseconds. */
export interface Toasts {
  readonly count: number;
  readonly at: number;
}

export function addToast(before: Toasts | null, at: number): Toasts {
  const isTogether = before !== null && at - before.at < toastWindow;
  return { count: isTogether ? before.count + 1 : 1, at };
}

/** Returns the message for one toast ("Ben prostet zurück!") or several ("3 × Prost zurück"). */
export function describeToasts({ count }: Toasts, name: string): string {
  return count === 1 ? `${name} prostet zurück!` : `${count} × Prost zurück`;
}

import { useSyncExternalStore } from "react";

const question = "(prefers-reduced-motion: reduce)";

/** Whether whoever looks at this wants nothing to move; follows the setting. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(listen, () => matchMedia(question).matches);
}

function listen(listener: () => void): () => void {
  const query = matchMedia(question);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

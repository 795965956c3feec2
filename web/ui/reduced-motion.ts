import { useSyncExternalStore } from "react";

const mediaQuery = "(prefers-reduced-motion: reduce)";

/** Follows changes of the setting. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(listen, isReduced, () => false);
}

function isReduced(): boolean {
  return matchMedia(mediaQuery).matches;
}

function listen(listener: () => void): () => void {
  const query = matchMedia(mediaQuery);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

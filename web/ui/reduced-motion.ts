import { useSyncExternalStore } from "react";

const mediaQuery = "(prefers-reduced-motion: reduce)";

/** Returns `true` if the user prefers reduced motion, and updates when this setting changes. */
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

import { useSyncExternalStore } from "react";

const mediaQuery = "(prefers-reduced-motion: reduce)";

/** Whether the user has asked for reduced motion; follows the setting. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(listen, isReduced, isReduced);
}

function isReduced(): boolean {
  return matchMedia(mediaQuery).matches;
}

function listen(listener: () => void): () => void {
  const query = matchMedia(mediaQuery);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

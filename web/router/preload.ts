import type { AnyRoute, AnyRouter } from "@tanstack/react-router";

import { isAllowed, type Viewer } from "./route-rules.ts";

/**
 * Milliseconds reserved for the work and the requests of the first page, before other pages are
 * prefetched.
 */
export const firstPageTime = 3000;

/**
 * Prefetches the code of every page that this visitor may open, once the browser is idle. Does
 * nothing if the browser's Save-Data setting is on.
 */
export function preloadWhenIdle(routes: readonly AnyRoute[], visitor: Viewer | null): () => void {
  const { connection } = navigator as { connection?: { readonly saveData: boolean } };
  if (connection?.saveData) return () => {};
  let handle: number | undefined;
  const timer = setTimeout(() => {
    // Safari does not support `requestIdleCallback`.
    if ("requestIdleCallback" in window) handle = requestIdleCallback(fetchAll, { timeout: 5000 });
    else fetchAll();
  }, firstPageTime);
  return () => {
    clearTimeout(timer);
    if (handle !== undefined) cancelIdleCallback(handle);
  };

  function fetchAll(): void {
    for (const { options } of routes) {
      const who = options.staticData?.who;
      if (who !== undefined && isAllowed(who, visitor)) void options.component?.preload?.();
    }
  }
}

/**
 * Prefetches the code of the page at a path within the app, even if this visitor may not open the
 * page yet.
 */
export async function preloadCode(router: AnyRouter, path: string): Promise<void> {
  const { options } = router.getMatchedRoutes(path.replace(/[?#].*/, ""))[2] ?? {};
  await options?.component?.preload?.();
}

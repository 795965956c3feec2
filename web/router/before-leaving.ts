import { useBlocker, useRouter } from "@tanstack/react-router";

/** Maximum milliseconds by which a page may delay a navigation, e.g. to fade out music. */
const maxLeaveTime = 1100;

/**
 * Runs `onLeave` before a navigation to another page. The navigation waits for `onLeave`, but at
 * most 1.1 s, and loads the next page at the same time. Before a navigation within the same page,
 * runs `onStay`.
 */
export function useBeforeLeaving({ onLeave, onStay }: { onLeave: () => Promise<void>; onStay: () => void }): void {
  const router = useRouter();
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: async ({ current, next }) => {
      if (next.pathname === current.pathname) onStay();
      else {
        void router.preloadRoute({ to: next.pathname }).catch(() => undefined);
        await Promise.race([new Promise((resolve) => setTimeout(resolve, maxLeaveTime)), onLeave()]);
      }
      return false;
    },
  });
}

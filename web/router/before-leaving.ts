import { useBlocker, useRouter } from "@tanstack/react-router";

/** Milliseconds that a page may delay a navigation, e.g. to fade out music. */
const maxLeaveTime = 1100;

/** Runs `onLeave` before the page changes. The navigation waits at most 1.1 s, while the next page is already loading. */
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

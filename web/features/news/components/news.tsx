import { lazy, Suspense, type ReactNode } from "react";

import { loadWithRetries } from "#web/platform/newer-version.ts";
import { isNewsOpen } from "#web/platform/news.ts";
import { useStore } from "#web/platform/store.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";

/** Texts and pictures are fetched when they are opened. */
const NewsList = lazy(async () => {
  const { NewsList: component } = await loadWithRetries(() => import("./news-list.tsx"));
  return { default: component };
});

/** The dialog with the news, over every page. */
export function News(): ReactNode {
  const isOpen = useStore(isNewsOpen);
  const close = (): void => isNewsOpen.set(false);
  return (
    <Dialog title="Was ist neu" isOpen={isOpen} onClose={close}>
      <Suspense fallback={<Skeleton lines={4} size="large" />}>
        <NewsList onClose={close} />
      </Suspense>
    </Dialog>
  );
}

import { lazy, Suspense, type ReactNode } from "react";

import { useStore } from "#web/data/store.ts";
import { loadWithRetries } from "#web/pwa/newer-version.ts";
import { isNewsOpen } from "#web/shell/news.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";

const NewsList = lazy(async () => {
  const { NewsList: component } = await loadWithRetries(() => import("./news-list.tsx"));
  return { default: component };
});

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

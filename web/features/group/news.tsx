import { lazy, Suspense, useEffect, type ReactNode } from "react";

import { createStore } from "#web/client/store.ts";
import { loadWithRetries } from "#web/page/newer-version.ts";
import { useStore } from "#web/page/session.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";

const isNewsOpen = createStore(false);

export function openNews(): void {
  isNewsOpen.set(true);
}

const NewsList = lazy(async () => {
  const { NewsList: component } = await loadWithRetries(() => import("./news-list.tsx"));
  return { default: component };
});

function close(): void {
  isNewsOpen.set(false);
}

export function News(): ReactNode {
  const isOpen = useStore(isNewsOpen);
  useEffect(() => close, []);
  return (
    <Dialog title="Was ist neu" isOpen={isOpen} onClose={close}>
      <Suspense fallback={<Skeleton lines={4} size="large" />}>
        <NewsList onClose={close} />
      </Suspense>
    </Dialog>
  );
}

import { Suspense, useEffect, type ReactNode } from "react";

import { createStore } from "#web/client/store.ts";
import { lazyPart } from "#web/page/newer-version.ts";
import { useStore } from "#web/page/session.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";

const isNewsOpen = createStore(false);

export function openNews(): void {
  isNewsOpen.set(true);
}

const NewsList = lazyPart(async () => (await import("./news-list.tsx")).NewsList);

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

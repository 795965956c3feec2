import type { ComponentType, ReactNode } from "react";

import { createPageCode, type PageCode } from "./page-code.ts";
import { PageFrame } from "./page-frame.tsx";

/** A route's component: a page frame whose code is fetched on first use. */
export interface LazyPage {
  (): ReactNode;
  /** Prefetches the code, also for the router; a failure only counts once the page is opened. */
  preload(): Promise<void>;
  readonly code: PageCode;
}

/** `title`: for pages that replace another one; other pages use the title of their route. */
export function lazyPage(load: () => Promise<ComponentType>, title?: string): LazyPage {
  const code = createPageCode(load);
  const Page = (): ReactNode => <PageFrame code={code} title={title} />;
  const preload = async (): Promise<void> => {
    await code.load().catch(() => code.reset());
  };
  return Object.assign(Page, { code, preload });
}

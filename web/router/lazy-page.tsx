import type { ComponentType, ReactNode } from "react";

import { createPageCode, type PageCode } from "./page-code.ts";
import { PageFrame } from "./page-frame.tsx";

/** The component of a route: a page frame that loads the page's code on first use. */
export interface LazyPage {
  (): ReactNode;
  /**
   * Prefetches the page's code; the router also calls this method. A failure is ignored until the
   * page is opened.
   */
  preload(): Promise<void>;
  readonly code: PageCode;
}

/**
 * Creates a lazily loaded page. `title` is only for pages that are shown instead of the requested
 * page; other pages use the title of their route.
 */
export function lazyPage(load: () => Promise<ComponentType>, title?: string): LazyPage {
  const code = createPageCode(load);
  const Page = (): ReactNode => <PageFrame code={code} title={title} />;
  const preload = async (): Promise<void> => {
    await code.load().catch(() => code.reset());
  };
  return Object.assign(Page, { code, preload });
}

import { useMatch } from "@tanstack/react-router";
import { use, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { createStore } from "#web/data/store.ts";
import { useGroup } from "#web/session/session.ts";
import { Spinner } from "#web/ui/spinner.tsx";
import type { PageCode } from "./page-code.ts";
import { PageErrorBoundary } from "./page-error-boundary.tsx";
import styles from "./page-frame.module.css";
import { titleOf } from "./route-rules.ts";

/**
 * `true` until the first page has appeared. The first page does not focus its heading, but only the
 * element named in the fragment of the address, if any.
 */
const isFirstPage = createStore(true);

/**
 * Renders a page with its title and focus. If `title` is `undefined`, the route's title is used.
 */
export function PageFrame({ code, title }: { code: PageCode; title: string | undefined }): ReactNode {
  const routeTitle = useMatch({ strict: false, select: ({ staticData }) => staticData.title });
  // Every page except the first slides in.
  const [isEntering] = useState(!isFirstPage.get());
  return (
    <PageErrorBoundary code={code} onRetry={() => isFirstPage.set(false)}>
      <div className={styles["page"]} data-entering={isEntering || undefined}>
        <PageEffects title={title ?? routeTitle ?? ""} />
        <LoadedPage code={code} />
      </div>
    </PageErrorBoundary>
  );
}

export function LoadingPage(): ReactNode {
  return (
    <div className="splash" role="status">
      <Spinner size={48} />
      <span className="visually-hidden">Einen Moment …</span>
    </div>
  );
}

function LoadedPage({ code }: { code: PageCode }): ReactNode {
  const Page = code.loaded ?? use(code.load());
  return <Page />;
}

/**
 * Sets the document's title and focuses the heading of a new page, so that screen readers read it.
 */
function PageEffects({ title }: { title: string }): ReactNode {
  const { group_name: group } = useGroup();
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    document.title = titleOf(title, group);
  }, [title, group]);
  useLayoutEffect(() => {
    if (isFirstPage.get()) {
      isFirstPage.set(false);
      document.getElementById(location.hash.slice(1))?.focus();
      return;
    }
    const heading = mark.current?.parentElement?.querySelector<HTMLElement>("h1") ?? mark.current?.closest("main");
    if (heading === null || heading === undefined) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, []);
  return <span ref={mark} hidden />;
}

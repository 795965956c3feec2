import { Suspense, use, useLayoutEffect, useRef, useState, type ReactNode } from "react";

import { Spinner } from "#web/ui/spinner.tsx";
import { navigate, finishNavigation, useHistoryEntry, usePath } from "./location.ts";
import { PageErrorBoundary } from "./page-error-boundary.tsx";
import styles from "./page-view.module.css";
import { useFindRoute, type FallbackPage, type LazyPage } from "./pages.ts";
import { resolveRoute, titleOf } from "./route-rules.ts";
import { restoreScroll } from "./scroll-restoration.ts";
import { useGroup, useSession } from "./session.ts";

/** The page of the address, or a fallback page. */
export function PageView({ denied, notFound }: { denied: FallbackPage; notFound: FallbackPage }): ReactNode {
  const path = usePath();
  const { user } = useSession();
  const visit = resolveRoute(useFindRoute(), user, path + (path === location.pathname ? location.search : ""));
  const shown = visit.isDenied ? denied : (visit.route ?? notFound);
  const key = `${visit.isDenied ? "denied" : "shown"} ${visit.route?.path ?? path}`;

  useLayoutEffect(() => {
    const isElsewhere = visit.address !== location.pathname + location.search;
    // A login keeps the fragment for the page that it leads to.
    const fragment = visit.address.startsWith("/login?") ? location.hash : "";
    if (path === location.pathname && isElsewhere) navigate(visit.address + fragment, { replace: true });
  });

  return (
    <Suspense fallback={<LoadingPage />}>
      <PageErrorBoundary key={key} page={shown.page} onRetry={() => (isFirstPage = false)}>
        <PageFrame>
          <PageEffects title={shown.title} />
          <LoadedPage page={shown.page} />
        </PageFrame>
      </PageErrorBoundary>
    </Suspense>
  );
}

/** Lets every page but the first slide in. */
function PageFrame({ children }: { children: ReactNode }): ReactNode {
  const [isEntering] = useState(!isFirstPage);
  return (
    <div className={styles["page"]} data-entering={isEntering || undefined}>
      {children}
    </div>
  );
}

function LoadedPage({ page }: { page: LazyPage }): ReactNode {
  const Page = page.loaded ?? use(page.load());
  return <Page />;
}

/** Sets the title of a page that has just appeared, its scroll position, and the focus on its heading, so that it is read aloud. */
function PageEffects({ title }: { title: string }): ReactNode {
  const { group_name: group } = useGroup();
  const entry = useHistoryEntry();
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    document.title = titleOf(title, group);
  }, [title, group]);
  useLayoutEffect(() => {
    restoreScroll(entry);
    finishNavigation();
  }, [entry]);
  useLayoutEffect(() => {
    if (isFirstPage) {
      isFirstPage = false;
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

/** Nobody's focus is moved by opening the app, unless its address names where to. */
let isFirstPage = true;

function LoadingPage(): ReactNode {
  return (
    <div className="splash" role="status">
      <Spinner size={48} />
      <span className="visually-hidden">Einen Moment …</span>
    </div>
  );
}

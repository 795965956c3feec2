import { useMatches, useRouter, type ErrorComponentProps, type NotFoundError } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef, useTransition, type ReactNode } from "react";

import { createStore } from "#web/client/store.ts";
import { reloadForNewerVersion } from "#web/page/newer-version.ts";
import { useGroup } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import styles from "./page-frame.module.css";
import { deniedPage, titleOf } from "./route-rules.ts";

/** The browser is offline, or the server has a newer version without the page's file. */
export class PageLoadError extends Error {}

/** The first page neither slides in nor takes the focus. */
const isFirstPage = createStore(true);

export function usePageTitle(): void {
  const title = useMatches({ select: findTitle });
  const { group_name: group } = useGroup();
  useLayoutEffect(() => {
    document.title = titleOf(title, group);
  }, [title, group]);
}

export function PageFrame({ children }: { children: ReactNode }): ReactNode {
  const id = useMatches({ select: (matches) => matches.at(-1)?.id ?? "" });
  return <Frame key={id}>{children}</Frame>;
}

function findTitle(matches: ReturnType<typeof useMatches>): string {
  const last = matches.at(-1);
  if (last?.status === "notFound" && (last.error as NotFoundError).data === deniedPage) return "Nope.";
  return last?.staticData.title ?? "Nicht gefunden";
}

function Frame({ children }: { children: ReactNode }): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isFirstPage.get()) {
      isFirstPage.set(false);
      document.getElementById(location.hash.slice(1))?.focus();
      return;
    }
    focusPage();
    frame.current?.setAttribute("data-entering", "");
  }, []);
  return (
    <div ref={frame} className={styles["page"]}>
      {children}
    </div>
  );
}

/** Screen readers read the focused heading. */
function focusPage(): void {
  const heading = document.querySelector<HTMLElement>("main h1") ?? document.querySelector("main");
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** `true` once a failed page was retried: the button that had the focus is then a new one. */
const isRetried = createStore(false);

/** The code of the page could not be fetched, or the page has thrown. */
export function PageFailure({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  const isLoading = error instanceof PageLoadError;
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    if (isLoading) void reloadForNewerVersion();
  }, [isLoading]);
  useEffect(
    () => () => {
      // The retried page has replaced the button that had the focus.
      if (isRetried.get())
        requestAnimationFrame(() => document.querySelector("main [role=alert] button") ?? focusPage());
    },
    [],
  );
  const retry = (): void => {
    isRetried.set(true);
    startTransition(async () => {
      await router.invalidate();
      reset();
    });
  };
  return (
    <div className={styles["failure"]} role="alert">
      <Card>
        <h1>Da ist was umgekippt.</h1>
        <p>
          {isLoading
            ? "Diese Seite konnte nicht geladen werden. Hast du Empfang?"
            : "Auf dieser Seite ist ein Fehler aufgetreten."}
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the button before it had the focus */}
        <Button kind="primary" isBusy={isPending} autoFocus={isRetried.get()} onClick={retry}>
          Nochmal versuchen
        </Button>
      </Card>
    </div>
  );
}

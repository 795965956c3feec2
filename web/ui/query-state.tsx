import { onlineManager } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useDeferredValue, useSyncExternalStore, type ReactNode } from "react";

import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { Hint } from "./hint.tsx";
import { IconDisc } from "./icon-disc.tsx";
import { Stack } from "./layout.tsx";
import { Logo } from "./logo.tsx";
import styles from "./query-state.module.css";

/** A query of TanStack Query, as far as its state is shown. */
interface ShownQuery<Data> {
  readonly data: Data | undefined;
  readonly isFetchedAfterMount: boolean;
  readonly isFetching: boolean;
  refetch(): unknown;
}

/** Whether it could not be loaded. Not `isError`, which is false while it is tried once more: what was said of it stays meanwhile. */
export function isFailed({ data, isFetchedAfterMount }: ShownQuery<unknown>): boolean {
  return data === undefined && isFetchedAfterMount;
}

/** Several queries with one message and one button: it loads again whatever has failed. */
export function combineQueries(queries: readonly ShownQuery<unknown>[]): ShownQuery<true> {
  const failed = queries.filter(isFailed);
  return {
    data: failed.length === 0 ? true : undefined,
    isFetchedAfterMount: failed.length > 0,
    isFetching: failed.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(failed.map((query) => query.refetch())),
  };
}

interface QueryStateProps<Data> {
  readonly query: ShownQuery<Data>;
  /** The sentence where nothing could be loaded. */
  readonly failedText: string;
  /** What stands there while it is being loaded. Default: the outline of a list. */
  readonly skeleton?: ReactNode;
  /** Where it is the whole page, what went wrong stands on a card of its own. */
  readonly isPage?: boolean;
  /** What is said of an empty list. */
  readonly emptyText?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/**
 * The loaded data; before that their outline, or a sentence and "Nochmal versuchen" if they could not be loaded. Without a connection
 * a quiet sentence, since the app has a warning of its own and loads the data once it can.
 */
export function QueryState<Data>({
  query,
  failedText,
  skeleton = <Skeleton />,
  emptyText,
  isPage = false,
  children,
}: QueryStateProps<Data>): ReactNode {
  const { data, isFetching } = query;
  // In slices, since a whole list in one go would hold up taps.
  const isRendered = useDeferredValue(data !== undefined);
  const isOnline = useSyncExternalStore(onlineManager.subscribe, isServerReachable, isServerReachable);
  // A failed query keeps its message, so that its button keeps the focus during a retry.
  if (data === undefined && !isOnline && !isFailed(query)) {
    const missing = (
      <Hint className={styles["message"]} data-align="center">
        Das kommt, sobald die Verbindung wieder da ist.
      </Hint>
    );
    return isPage ? <Card>{missing}</Card> : missing;
  }
  if (isFailed(query)) {
    const failed = (
      <Stack gap={3} className={styles["message"]} data-align="center" role="alert">
        <IconDisc icon={CloudOff} />
        <p>{failedText}</p>
        <Button isBusy={isFetching} onClick={() => void query.refetch()}>
          Nochmal versuchen
        </Button>
      </Stack>
    );
    return isPage ? <Card>{failed}</Card> : failed;
  }
  if (data === undefined || !isRendered) return skeleton;
  if (emptyText !== undefined && Array.isArray(data) && data.length === 0) {
    return <EmptyMessage>{emptyText}</EmptyMessage>;
  }
  return children(data);
}

/** Stands in place of an empty list or chart. */
export function EmptyMessage({ children }: { children: ReactNode }): ReactNode {
  return (
    <Stack as="p" gap={3} className={styles["message"]} data-align="center" data-empty="">
      <Logo size={56} />
      {children}
    </Stack>
  );
}

function isServerReachable(): boolean {
  return onlineManager.isOnline();
}

/** The outline of what is being loaded: lines of a list, or a block for a form. */
export function Skeleton({ lines = 1, size = "line" }: SkeletonProps): ReactNode {
  return (
    <Stack gap={3} aria-busy="true" data-skeleton="">
      <span className="visually-hidden">Einen Moment …</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles["line"]} data-size={size} />
      ))}
    </Stack>
  );
}

interface SkeletonProps {
  readonly lines?: number;
  /** The height of a line. */
  readonly size?: "line" | "large" | "form";
}

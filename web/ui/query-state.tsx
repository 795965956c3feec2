import { onlineManager } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import { useDeferredValue, useSyncExternalStore, type ReactNode } from "react";

import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { IconDisc, Logo } from "./icons.tsx";
import { Stack } from "./layout.tsx";
import styles from "./query-state.module.css";
import { Hint } from "./text.tsx";

interface ShownQuery<Data> {
  readonly data: Data | undefined;
  readonly errorUpdateCount: number;
  readonly isFetching: boolean;
  refetch(): unknown;
}

/** Stays `true` during a retry, unlike `isError`, which keeps the error visible. */
export function isFailed({ data, errorUpdateCount }: ShownQuery<unknown>): boolean {
  return data === undefined && errorUpdateCount > 0;
}

/** Shows one error for all; `refetch` refetches the failed ones. */
export function combineQueries(queries: readonly ShownQuery<unknown>[]): ShownQuery<true> {
  const failed = queries.filter(isFailed);
  return {
    data: failed.length === 0 ? true : undefined,
    errorUpdateCount: failed.length,
    isFetching: failed.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(failed.map((query) => query.refetch())),
  };
}

interface QueryStateProps<Data> {
  readonly query: ShownQuery<Data>;
  /** A German sentence. */
  readonly failedText: string;
  /** One line by default. */
  readonly skeleton?: ReactNode;
  /** `true` to show an error on a card. */
  readonly isPage?: boolean;
  /** Message for an empty list. */
  readonly emptyText?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Shows before the data a skeleton or an error with "Nochmal versuchen". Offline, a hint is enough: the app already
 * warns and refetches later.
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
  // Rendering a whole list at once would delay taps.
  const isRendered = useDeferredValue(data !== undefined);
  const isOnline = useSyncExternalStore(onlineManager.subscribe, isServerReachable, isServerReachable);
  // A failure stays visible even offline, so that the retry button does not lose the focus.
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
  readonly size?: "line" | "large" | "form";
}

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";

import styles from "./query-state.module.css";

interface QueryStateProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, "data" | "isPending" | "isError" | "refetch" | "isFetching">;
  /** What is loaded, with its article: "Die Mitglieder". */
  readonly what: string;
  /** Lines of the skeleton. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** Shows what was loaded; before that its outline, and a way out where it could not be had. */
export function QueryState<Data>({ query, what, lines = 4, children }: QueryStateProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    return (
      <div className={styles["failed"]} role="alert">
        <p>{what} lassen sich gerade nicht laden.</p>
        <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
          Nochmal versuchen
        </Button>
      </div>
    );
  }
  return (
    <div className={styles["skeleton"]} aria-busy="true">
      <span className="visually-hidden">Einen Moment …</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles["line"]} />
      ))}
    </div>
  );
}

/** What a list says that has nothing in it yet. */
export function Empty({ children }: { children: ReactNode }): ReactNode {
  return <p className={styles["empty"]}>{children}</p>;
}

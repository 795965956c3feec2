import type { UseQueryResult } from "@tanstack/react-query";
import { useId, type CSSProperties, type ReactNode } from "react";

import { BeerMat } from "#web/ui/beer-mat.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import styles from "./stats-card.module.css";

interface StatsCardProps<Data> {
  readonly title: string;
  readonly query: UseQueryResult<Data>;
  /** Height of the content in px while it is not there, so that nothing jumps when it comes. */
  readonly height: number;
  /** Bars of the drawing that stands in for it. */
  readonly columns: number;
  readonly children: (data: Data) => ReactNode;
}

/** A square mat with a chart on it. */
export function StatsCard<Data>({ title, query, height, columns, children }: StatsCardProps<Data>): ReactNode {
  const heading = useId();
  return (
    <section className={styles["card"]} aria-labelledby={heading} aria-busy={query.isPending}>
      <BeerMat shape="chart">
        <h2 id={heading} className={styles["title"]}>
          {title}
        </h2>
        <div className={styles["content"]} style={{ minHeight: query.data === undefined ? height : undefined }}>
          <QueryState
            query={query}
            failedText="Die Zahlen konnten gerade nicht geladen werden."
            skeleton={<Skeleton height={height} columns={columns} />}
          >
            {children}
          </QueryState>
        </div>
      </BeerMat>
    </section>
  );
}

function Skeleton({ height, columns }: { height: number; columns: number }): ReactNode {
  return (
    <div className={styles["skeleton"]} style={{ height }} aria-hidden="true">
      {Array.from({ length: columns }, (_, column) => (
        <span key={column} style={{ "--share": `${30 + ((column * 37) % 60)}%` } as CSSProperties} />
      ))}
    </div>
  );
}

import type { UseQueryResult } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";

import { BeerMat } from "./beer-mat.tsx";
import { CardErrorBoundary } from "./card.tsx";
import { QueryState } from "./query-state.tsx";
import styles from "./stats-card.module.css";

interface StatsCardProps<Data> {
  readonly title: string;
  readonly query: UseQueryResult<Data>;
  /** Decides which height is reserved while loading. */
  readonly content: "chart" | "ranking";
  /** Bars of the skeleton. */
  readonly columns: number;
  readonly children: (data: Data) => ReactNode;
}

export function StatsCard<Data>({ title, query, content, columns, children }: StatsCardProps<Data>): ReactNode {
  const heading = useId();
  return (
    <CardErrorBoundary>
      <section className={styles["card"]} aria-labelledby={heading} aria-busy={query.isPending}>
        <BeerMat shape="chart">
          <h2 id={heading} className={styles["title"]}>
            {title}
          </h2>
          <div
            className={styles["content"]}
            data-content={content}
            data-loading={query.data === undefined || undefined}
          >
            <QueryState
              query={query}
              failedText="Die Zahlen konnten gerade nicht geladen werden."
              skeleton={<Skeleton columns={columns} />}
            >
              {children}
            </QueryState>
          </div>
        </BeerMat>
      </section>
    </CardErrorBoundary>
  );
}

function Skeleton({ columns }: { columns: number }): ReactNode {
  return (
    <div className={styles["skeleton"]} aria-hidden="true">
      {Array.from({ length: columns }, (_, column) => (
        <span key={column} />
      ))}
    </div>
  );
}

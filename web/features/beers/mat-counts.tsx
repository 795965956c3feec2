import type { ReactNode } from "react";

import { MatNumber, RollingNumber, Tally } from "#web/ui/beer-mat.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import styles from "./mat-counts.module.css";

interface MatCountsProps {
  readonly label: ReactNode;
  readonly total: number;
  readonly name: string | undefined;
  readonly own: number;
  /** "12 und 2 von Gästen"; `null` without beers of guests. */
  readonly sum?: string | null;
  /** Words after the member's count, if it is not that of all time. */
  readonly scope?: string;
  readonly prefix?: "party-";
  /** Replaces tally strokes if the member's count is 0. */
  readonly children: ReactNode;
}

/** The container must be as wide as the mat. */
export function MatCounts(props: MatCountsProps): ReactNode {
  const { label, total, sum = null, name, own, scope, children } = props;
  const prefix: string = props.prefix ?? "";
  return (
    <Stack gap={1} className={styles["counts"]} data-align="center">
      <p className={styles["group"]}>
        <span className={styles["short"]}>{label}</span>{" "}
        <MatNumber text={formatNumber(total)} data-counter={`${prefix}group`} />
      </p>
      {sum !== null && <p className={styles["sum"]}>{sum}</p>}
      <p className={styles["own"]}>
        <span className="one-line" title={name}>
          {name}
        </span>{" "}
        <span className={styles["count"]} data-counter={`${prefix}own`}>
          <RollingNumber text={formatNumber(own)} />
        </span>
        {scope !== undefined && <span className={styles["scope"]}> {scope}</span>}
      </p>
      <p className={styles["strokes"]}>
        {own > 0 ? <Tally count={own} /> : <span className={styles["none"]}>{children}</span>}
      </p>
    </Stack>
  );
}

/** Reserves the height of the counts. */
export function MatCountsSkeleton({ label }: { label: string }): ReactNode {
  return (
    <Stack gap={1} className={styles["counts"]} data-align="center" aria-hidden="true" data-blank="">
      <p className={styles["group"]}>
        <span className={styles["short"]}>{label}</span>
        <MatNumber text="" />
      </p>
      <p className={styles["own"]}>
        <span className={styles["count"]} />
      </p>
      <p className={styles["strokes"]} />
    </Stack>
  );
}

import type { ReactNode } from "react";

import { formatNumber } from "./german.ts";
import { Stack } from "./layout.tsx";
import styles from "./mat-counts.module.css";
import { MatNumber } from "./mat-number.tsx";
import { RollingNumber } from "./rolling-number.tsx";
import { Tally } from "./tally.tsx";

interface MatCountsProps {
  /** The label over the total: a text, or a link that looks like one. */
  readonly label: ReactNode;
  readonly total: number;
  /** One's own name and count, in a line below. */
  readonly name: string | undefined;
  readonly own: number;
  /** A small line below the total. */
  readonly note?: ReactNode;
  /** Prefix of "group" and "own" in `data-counter`. */
  readonly prefix?: "party-";
  /** In place of strokes where there are none. */
  readonly children: ReactNode;
}

/** A total and one's own count on a round mat, whose container is as wide as the mat. */
export function MatCounts(props: MatCountsProps): ReactNode {
  const { label, total, note, name, own, children } = props;
  const prefix: string = props.prefix ?? "";
  return (
    <Stack gap={1} className={styles["counts"]} data-align="center">
      <p className={styles["group"]}>
        <span className={styles["short"]}>{label}</span>{" "}
        <MatNumber text={formatNumber(total)} data-counter={`${prefix}group`} />
      </p>
      {note !== undefined && <p className={styles["note"]}>{note}</p>}
      <p className={styles["own"]}>
        <span className="one-line" title={name}>
          {name}
        </span>{" "}
        <span className={styles["count"]} data-counter={`${prefix}own`}>
          <RollingNumber text={formatNumber(own)} />
        </span>
      </p>
      <p className={styles["strokes"]}>
        {own > 0 ? <Tally count={own} /> : <span className={styles["none"]}>{children}</span>}
      </p>
    </Stack>
  );
}

/** The counts before they are known, as tall as they will be; early.js fills in the last ones of the counter. */
export function MatCountsSkeleton({ label }: { label: string }): ReactNode {
  return (
    <Stack gap={1} className={styles["counts"]} data-align="center" aria-hidden="true" data-blank="">
      <p className={styles["group"]}>
        <span className={styles["short"]}>{label}</span>
        <MatNumber text="" data-kept="KSKCounterVal" />
      </p>
      <p className={styles["own"]}>
        <span className="one-line" data-kept="name" />
        <span className={styles["count"]} data-kept="userCounterVal" />
      </p>
      <p className={styles["strokes"]} />
    </Stack>
  );
}

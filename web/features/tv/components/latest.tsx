import type { ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { timeAgo } from "#web/ui/german.ts";
import styles from "./latest.module.css";
import { TvPortrait } from "./tv-portrait.tsx";

interface LatestProps {
  readonly taps: TvScreen["taps"];
  /** Current time by the server's clock, in milliseconds since the epoch. */
  readonly now: number;
  readonly em: number;
}

/** Lists the latest beers of the evening. */
export function Latest({ taps, now, em }: LatestProps): ReactNode {
  return (
    <section className={styles["latest"]} aria-label="Zuletzt">
      <h2>Zuletzt</h2>
      {taps.length === 0 && <p className={styles["none"]}>Noch sind alle nüchtern.</p>}
      <ol className={styles["taps"]}>
        {taps.map(({ id, name, avatarId, at, kind }) => (
          <li key={id} className={styles["tap"]}>
            <TvPortrait id={avatarId} name={name} size={4.2 * em} />
            <span className={`one-line ${styles["name"]}`}>{name}</span>
            <span className={styles["when"]}>
              {timeAgo(Date.parse(at), now, "short")}
              {kind !== null && <span className={styles["kind"]}>{kind}</span>}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

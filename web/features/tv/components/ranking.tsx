import type { CSSProperties, ReactNode } from "react";

import type { TvScreen } from "#contract/tv.ts";
import { formatNumber } from "#web/ui/german.ts";
import { RollingNumber } from "#web/ui/rolling-number.tsx";
import { barWidth, rankingLayout } from "../rules.ts";
import styles from "./ranking.module.css";
import { TvPortrait } from "./tv-portrait.tsx";

/** Height of the ranking in em. */
const height = 56;
/** Maximum height of a row in em if the page scrolls. */
const highestRow = 7;
/** Maximum height of a row in em if the whole board fits on the screen. */
const highestWideRow = 11;

interface RankingProps {
  readonly drinkers: TvScreen["drinkers"];
  readonly isWide: boolean;
  readonly em: number;
}

/** Lists all drinkers with a bar for their beers, in one to three columns that fill the height. */
export function Ranking({ drinkers, isWide, em }: RankingProps): ReactNode {
  const { columns, rows } = rankingLayout(drinkers.length);
  const row = Math.min(isWide ? highestWideRow : highestRow, height / rows);
  const counts = drinkers.map(({ count }) => count);
  const look: CSSProperties & Record<`--${string}`, number> = { "--columns": columns, "--rows": rows, "--row": row };
  return (
    <section className={styles["ranking"]} aria-label="Die Säufer">
      <h2>Die Säufer</h2>
      <ol className={styles["rows"]} style={look}>
        {drinkers.map(({ id, name, avatarId, count }) => (
          <li key={id} className={styles["row"]}>
            <TvPortrait id={avatarId} name={name} size={row * 0.76 * em} />
            <span className={`one-line ${styles["name"]}`}>{name}</span>
            <span className={styles["count"]}>
              <RollingNumber text={formatNumber(count)} />
            </span>
            <span className={styles["track"]} aria-hidden="true">
              {count > 0 && <span className={styles["bar"]} style={{ inlineSize: `${barWidth(count, counts)}%` }} />}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

import type { CSSProperties, ReactNode } from "react";

import type { TvParty, TvScreen } from "#contract/tv.ts";
import { describeSum } from "#web/features/beers/party-rules.ts";
import { useGroup } from "#web/page/session.ts";
import { Portrait } from "#web/ui/avatar.tsx";
import { BeerMat, MatNumber, RollingNumber } from "#web/ui/beer-mat.tsx";
import { formatNumber, timeAgo } from "#web/ui/german.ts";
import { Logo } from "#web/ui/icons.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { useTvPicture } from "./api.ts";
import styles from "./board.module.css";
import {
  barWidth,
  driftOffset,
  findShownParty,
  formatClock,
  formatPeople,
  listLatest,
  rankingLayout,
  tonightText,
} from "./rules.ts";

export interface ViewProps {
  readonly screen: TvScreen;
  /** Epoch ms, by the server's clock. */
  readonly now: number;
  readonly isWide: boolean;
  /** Size of one em in px. */
  readonly em: number;
}

export function Board({ screen, now, isWide, em }: ViewProps): ReactNode {
  const { time_zone } = useGroup();
  const { day, time } = formatClock(now, time_zone);
  const [x, y] = driftOffset(now);
  const party = findShownParty(screen.parties, now);
  return (
    <main className={styles["frame"]} data-wide={isWide || undefined} style={{ fontSize: em }}>
      <div className={styles["board"]} style={{ translate: `${x}px ${y}px` }}>
        <header className={styles["head"]}>
          <Logo size={Math.round(3.6 * em)} />
          <h1 className={`one-line ${styles["group"]}`}>{screen.group_name}</h1>
        </header>
        <section className={styles["counter"]} aria-label="Zähler">
          <TonightMat screen={screen} party={party} time={time} />
          {party && <PartyPeople key={party.id} party={party} em={em} />}
          <Stack as="p" gap={0} data-align="center">
            <span className={styles["time"]}>{time}</span> <span className={styles["day"]}>{day}</span>
          </Stack>
        </section>
        <Ranking screen={screen} party={party} isWide={isWide} em={em} />
        <Latest taps={listLatest(screen)} now={now} em={em} />
      </div>
    </main>
  );
}

interface TonightMatProps {
  readonly screen: TvScreen;
  /** `null` shows the evening. */
  readonly party: TvParty | null;
  /** E.g. "21:43". */
  readonly time: string;
}

function TonightMat({ screen, party, time }: TonightMatProps): ReactNode {
  const { group_short, total, tonight, parties } = screen;
  const sum = party && describeSum(party);
  return (
    <>
      <div className={styles["mat"]} data-counter-mat>
        <BeerMat shape="round">
          <p className={styles["short"]}>{group_short}</p>
          <p>
            {/* The number does not roll between two parties. */}
            <MatNumber
              key={party?.id ?? "evening"}
              text={formatNumber(party?.total ?? tonight ?? total)}
              data-counter="tonight"
            />
          </p>
          <p className={styles["what"]}>{party?.name ?? tonightText(time)}</p>
          {sum !== null && <p className={styles["sum"]}>{sum}</p>}
          {parties.length > 1 && (
            <p className={styles["dots"]} aria-hidden="true">
              {parties.map(({ id }) => (
                <span key={id} data-current={id === party?.id || undefined} />
              ))}
            </p>
          )}
        </BeerMat>
      </div>
      <p className={styles["total"]}>
        Gruppe insgesamt <strong data-counter="group">{formatNumber(total)}</strong>
      </p>
    </>
  );
}

const maxPortraits = 6;

function PartyPeople({ party, em }: { party: TvParty; em: number }): ReactNode {
  return (
    <section className={styles["people"]} aria-label={`Dabei: ${party.name}`}>
      <div className={styles["portraits"]}>
        {party.members.slice(0, maxPortraits).map(({ id, name, avatarId }) => (
          <span key={id} className={styles["portrait"]}>
            <TvPortrait id={avatarId} name={name} size={4.2 * em} />
          </span>
        ))}
      </div>
      <p className={styles["names"]}>{formatPeople(party)}</p>
    </section>
  );
}

/** Heights in em. */
const rankingHeight = 56;
const highestRow = 7;
const highestWideRow = 11;

interface RankingProps {
  readonly screen: TvScreen;
  readonly party: TvParty | null;
  readonly isWide: boolean;
  readonly em: number;
}

function Ranking({ screen, party, isWide, em }: RankingProps): ReactNode {
  const isOfParty = party !== null && party.drinkers.length > 0;
  const drinkers = isOfParty ? party.drinkers : screen.drinkers;
  const { columns, rows } = rankingLayout(drinkers.length);
  const row = Math.min(isWide ? highestWideRow : highestRow, rankingHeight / rows);
  const counts = drinkers.map(({ count }) => count);
  const look: CSSProperties & Record<`--${string}`, number> = { "--columns": columns, "--rows": rows, "--row": row };
  return (
    <section className={styles["ranking"]} aria-labelledby="ranking">
      <h2 id="ranking">{isOfParty ? "Die Säufer der Party" : "Die Säufer"}</h2>
      <ol key={isOfParty ? party.id : "group"} className={styles["rows"]} style={look}>
        {drinkers.map(({ id, name, avatarId, count, is_guest }) => (
          <li key={`${is_guest} ${id}`} className={styles["row"]}>
            <TvPortrait id={avatarId} name={name} size={row * 0.76 * em} />
            <span className={`one-line ${styles["drinker"]}`}>
              {name}
              {is_guest && <span className={styles["guest"]}> Gast</span>}
            </span>
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

interface LatestProps {
  readonly taps: TvScreen["taps"];
  readonly now: number;
  readonly em: number;
}

function Latest({ taps, now, em }: LatestProps): ReactNode {
  return (
    <section className={styles["latest"]} aria-label="Zuletzt">
      <h2>Zuletzt</h2>
      {taps.length === 0 && <p className={styles["none"]}>Noch sind alle nüchtern.</p>}
      <ol className={styles["taps"]}>
        {taps.map(({ id, name, avatarId, at, kind }) => (
          <li key={id} className={styles["tap"]}>
            <TvPortrait id={avatarId} name={name} size={4.2 * em} />
            <span className={`one-line ${styles["tapper"]}`}>{name}</span>
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

export function TvPortrait({ id, name, size }: { id: string | null; name: string; size: number }): ReactNode {
  return <Portrait src={useTvPicture(id)} name={name} size={Math.round(size)} />;
}

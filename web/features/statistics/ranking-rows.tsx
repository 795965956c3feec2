import { Link } from "@tanstack/react-router";
import { useState, type CSSProperties, type ReactNode } from "react";

import type { Drinker } from "#contract/beercounter.ts";
import { toListedMember } from "#contract/members.ts";
import { useMember } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { barHeight } from "#web/ui/bar-chart.tsx";
import { Button } from "#web/ui/button.tsx";
import { formatNumber } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import { EmptyMessage } from "#web/ui/query-state.tsx";
import styles from "./ranking-rows.module.css";

const shownRows = 10;

interface RankingRowsProps {
  readonly drinkers: readonly Drinker[];
  readonly emptyText: string;
}

/** Lists those who drank, and always the member. `drinkers` are in the order of the ranking. */
export function RankingRows({ drinkers, emptyText }: RankingRowsProps): ReactNode {
  const memberId = useMember()?.id;
  const [isWhole, setWhole] = useState(false);
  if (drinkers.length === 0) return <EmptyMessage>Hier will gerade niemand stehen.</EmptyMessage>;
  const counts = drinkers.map(({ beercounter_entries_count: count }) => count);
  if (counts.every((count) => count === 0)) return <EmptyMessage>{emptyText}</EmptyMessage>;
  const listed = drinkers.filter(({ id, beercounter_entries_count: count }) => count > 0 || id === memberId);
  const shown = isWhole ? listed : listed.filter(({ id }, index) => index < shownRows || id === memberId);
  return (
    <Stack gap={3}>
      {/* oxlint-disable-next-line no-redundant-roles -- Safari takes the role from a list without markers */}
      <ul className={styles["rows"]} role="list" aria-label="Biere pro Mitglied">
        {shown.map((drinker) => (
          <Row key={drinker.id} drinker={drinker} isOwn={drinker.id === memberId} counts={counts} />
        ))}
      </ul>
      {shown.length < listed.length && (
        <Button isWide onClick={() => setWhole(true)}>
          Alle {formatNumber(listed.length)} zeigen
        </Button>
      )}
    </Stack>
  );
}

interface RowProps {
  readonly drinker: Drinker;
  readonly isOwn: boolean;
  readonly counts: readonly number[];
}

function Row({ drinker, isOwn, counts }: RowProps): ReactNode {
  const { name, avatarId } = toListedMember(drinker);
  const count = drinker.beercounter_entries_count;
  const page: string = isOwn ? "/member" : `/members/${drinker.id}`;
  const look = { inlineSize: `${barHeight(count, counts)}%` } satisfies CSSProperties;
  return (
    <li data-own={isOwn || undefined}>
      <Link to={page} className={styles["row"]}>
        <Avatar id={avatarId} name={name} size={40} />
        <span className={`one-line ${styles["name"]}`}>{name}</span>{" "}
        {isOwn && <span className={styles["mark"]}>Du </span>}
        <span className={styles["count"]}>{formatNumber(count)}</span>
        <span className={styles["track"]} aria-hidden="true">
          {count > 0 && <span className={styles["bar"]} style={look} />}
        </span>
      </Link>
    </li>
  );
}

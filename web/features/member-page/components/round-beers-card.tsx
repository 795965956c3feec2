import { useId, type ReactNode } from "react";

import type { MemberPage } from "#contract/member-page.ts";
import { Card } from "#web/ui/card.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { describeRoundBeer, formatDay } from "../rules.ts";
import styles from "./round-beers-card.module.css";

/**
 * Shows the member's first beer and latest round beers (such as the 100th) in chronological order.
 */
export function RoundBeersCard({ page, isOwn }: { page: MemberPage; isOwn: boolean }): ReactNode {
  const heading = useId();
  return (
    <Card>
      <Stack as="section" gap={3} aria-labelledby={heading}>
        <h2 id={heading}>Erstes und rundes</h2>
        {page.round_beers.length === 0 ? (
          <Hint>{isOwn ? "Dein erstes Bier steht dann hier, mit Datum." : "Noch kein Bier."}</Hint>
        ) : (
          <Stack as="ol" gap={0}>
            {page.round_beers.map((beer) => (
              <li key={beer.count} className={styles["beer"]}>
                <strong>{describeRoundBeer(beer)}</strong>
                <Hint as="time" dateTime={beer.day}>
                  {formatDay(beer.day)}
                </Hint>
              </li>
            ))}
          </Stack>
        )}
      </Stack>
    </Card>
  );
}

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { PageLink } from "#web/router/page-link.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { Tally } from "#web/ui/tally.tsx";
import { useReviewYears } from "../queries.ts";
import { findHighlightedYear } from "../rules.ts";
import styles from "./year-review-link.module.css";

/**
 * Links to the year review below the counter: a golden board around New Year, otherwise a plain
 * link. Renders nothing if no year has a review.
 */
export function YearReviewLink({ isEnabled }: { isEnabled: boolean }): ReactNode {
  const { data } = useReviewYears(isEnabled);
  if (!data || data.years.length === 0) return null;
  const highlighted = findHighlightedYear(data);
  if (highlighted === null) return <PlainLink />;
  return (
    <PageLink href="/wrapped" className={styles["strip"]}>
      <span className={styles["strokes"]}>
        <Tally count={5} />
      </span>
      <span>
        <strong>{`Jahresrückblick ${highlighted}`}</strong>
        <span className={styles["text"]}>Was vom Jahr auf den Deckeln steht.</span>
      </span>
    </PageLink>
  );
}

/**
 * Links to the year review from the statistics page. Renders nothing around New Year, when the
 * sidebar links to it.
 */
export function OffSeasonYearReviewLink(): ReactNode {
  const { data } = useReviewYears(true);
  if (!data || data.years.length === 0 || findHighlightedYear(data) !== null) return null;
  return <PlainLink />;
}

function PlainLink(): ReactNode {
  return (
    <QuietAction as={PageLink} href="/wrapped">
      Jahresrückblick
      <ChevronRight size={18} />
    </QuietAction>
  );
}

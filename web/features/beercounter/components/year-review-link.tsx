import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import quiet from "#web/ui/quiet-action.module.css";
import { Tally } from "#web/ui/tally.tsx";
import { useReviewYears } from "../queries.ts";
import { findHighlightedYear } from "../rules.ts";
import styles from "./year-review-link.module.css";

/** Links to the year review from the counter: a strip around New Year, a plain link otherwise, nothing while there is none. */
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

/** Links to the year review from the statistics, except around New Year, when the sidebar does. */
export function OffSeasonYearReviewLink(): ReactNode {
  const { data } = useReviewYears(true);
  if (!data || data.years.length === 0 || findHighlightedYear(data) !== null) return null;
  return <PlainLink />;
}

function PlainLink(): ReactNode {
  return (
    <PageLink href="/wrapped" className={quiet["action"]}>
      Jahresrückblick
      <ChevronRight size={18} />
    </PageLink>
  );
}

import { useState, type ReactNode } from "react";

import { Page, Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { NoReviewYet } from "./components/no-review-yet.tsx";
import { Story } from "./components/story.tsx";
import { YearArchive } from "./components/year-archive.tsx";
import styles from "./page.module.css";
import { useReviewYears, useYearReview } from "./queries.ts";

const failedText = "Der Jahresrückblick konnte gerade nicht geladen werden.";

/**
 * Opens the review of the newest year automatically. Closing a review shows the archive of all
 * years.
 */
export function YearReviewPage(): ReactNode {
  const years = useReviewYears();
  const [chosen, setChosen] = useState<number | "newest" | "none">("newest");
  const newest = years.data?.years[0]?.year ?? null;
  const opened = chosen === "newest" ? newest : chosen;
  const year = opened === "none" ? null : opened;
  const review = useYearReview(year);
  const isLoading = years.isPending || (year !== null && review.isPending);
  return (
    <Page title="Jahresrückblick" aria-busy={isLoading}>
      {year !== null && (
        <QueryState isPage query={review} failedText={failedText} skeleton={null}>
          {(data) => <Story key={year} review={data} onClose={() => setChosen("none")} />}
        </QueryState>
      )}
      <Stack gap={5} data-align="center">
        <QueryState isPage query={years} failedText={failedText} skeleton={<div className={styles["skeleton"]} />}>
          {({ years: all, today }) =>
            newest === null ? <NoReviewYet today={today} /> : <YearArchive years={all} onChoose={setChosen} />
          }
        </QueryState>
      </Stack>
    </Page>
  );
}

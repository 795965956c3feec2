import { useState, type ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";

import { NotYet } from "./components/not-yet.tsx";
import { YearArchive } from "./components/year-archive.tsx";
import { Story } from "./components/story.tsx";
import styles from "./page.module.css";
import { useReviewYears, useYearReview } from "./queries.ts";

/** The newest year opens by itself; whoever closes it finds all the others. */
export function YearReviewPage(): ReactNode {
  const years = useReviewYears();
  const [chosen, setChosen] = useState<number | "newest" | "none">("newest");
  const newest = years.data?.years[0]?.year ?? null;
  const year = chosen === "newest" ? newest : chosen === "none" ? null : chosen;
  const review = useYearReview(year);
  const failed = [years, review].find(({ isError, data }) => isError && data === undefined);
  const isLoading = !failed && (years.isPending || (year !== null && review.isPending));
  return (
    <div className={styles["page"]} aria-busy={isLoading}>
      <h1>Jahresrückblick</h1>
      {failed && (
        <div className={styles["failed"]} role="alert">
          <p>Der Jahresrückblick konnte gerade nicht geladen werden.</p>
          <Button onClick={() => void failed.refetch()}>Nochmal versuchen</Button>
        </div>
      )}
      {years.data && newest === null && <NotYet today={years.data.today} />}
      {years.data && newest !== null && <YearArchive years={years.data.years} onChoose={setChosen} />}
      {years.isPending && <div className={styles["blank"]} />}
      {year !== null && review.data && <Story key={year} review={review.data} onClose={() => setChosen("none")} />}
    </div>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { getReviewYears, getYearReview, type ReviewYears } from "#contract/year-review.ts";
import { replyOptions } from "#web/client/queries.ts";
import { ButtonLink } from "#web/page/links.tsx";
import { BeerMat, MatMessage } from "#web/ui/beer-mat.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { type StoryCard, Story } from "#web/ui/story.tsx";
import { ReviewCard } from "./year-review-cards.tsx";
import styles from "./year-review-page.module.css";
import { chapterTitle, listCards, noReviewYetText, yearStateText, type CardName } from "./year-review-rules.ts";

const failedText = "Der Jahresrückblick konnte gerade nicht geladen werden.";

/** Opens the newest year automatically. */
export function YearReviewPage(): ReactNode {
  const years = useQuery(replyOptions(getReviewYears));
  const [chosen, setChosen] = useState<number | "newest" | "none">("newest");
  const newest = years.data?.years[0]?.year ?? null;
  const opened = chosen === "newest" ? newest : chosen;
  const year = opened === "none" ? null : opened;
  const review = useQuery({
    ...replyOptions(getYearReview, { params: { year: String(year) } }),
    enabled: year !== null,
  });
  const isLoading = years.isPending || (year !== null && review.isPending);
  return (
    <Page title="Jahresrückblick" aria-busy={isLoading}>
      {year !== null && (
        <QueryState isPage query={review} failedText={failedText} skeleton={null}>
          {(data) => (
            <Story
              key={year}
              label={`Jahresrückblick ${year}`}
              cards={listCards(data).map((card) => ({
                key: card,
                ground: grounds[card],
                chapter: chapterTitle(card),
                render: (story) => <ReviewCard card={card} review={data} story={story} />,
              }))}
              onClose={() => setChosen("none")}
            />
          )}
        </QueryState>
      )}
      <Stack gap={5} data-align="center">
        <QueryState isPage query={years} failedText={failedText} skeleton={<div className={styles["skeleton"]} />}>
          {({ years: all, today }) =>
            newest === null ? (
              <MatMessage below={<ButtonLink to="/beercounter">Zum Bier-Counter</ButtonLink>}>
                <p>{noReviewYetText(today)}</p>
              </MatMessage>
            ) : (
              <Archive years={all} onChoose={setChosen} />
            )
          }
        </QueryState>
      </Stack>
    </Page>
  );
}

interface ArchiveProps {
  readonly years: ReviewYears["years"];
  readonly onChoose: (year: number) => void;
}

function Archive({ years, onChoose }: ArchiveProps): ReactNode {
  return (
    <>
      <nav className={styles["years"]} aria-label="Archiv">
        {years.map((one, index) => (
          <button
            key={one.year}
            type="button"
            aria-label={`${one.year}, ${yearStateText(one)}`}
            className={styles[index === 0 ? "newest" : "older"]}
            onClick={() => onChoose(one.year)}
          >
            <BeerMat shape="round">
              <Stack as="span" gap={0} className={styles["text"]} data-align="center">
                <span className={styles["year"]}>{one.year}</span> <span>{yearStateText(one)}</span>
              </Stack>
            </BeerMat>
          </button>
        ))}
      </nav>
      <ButtonLink to="/beercounter">Zum Bier-Counter</ButtonLink>
    </>
  );
}

const grounds: Record<CardName, StoryCard["ground"]> = {
  cover: "bar",
  total: "slate",
  stack: "table",
  fullest: "bar",
  longest: "table",
  days: "slate",
  own: "bar",
  "share-of-all": "table",
  "own-times": "bar",
  span: "slate",
  company: "table",
  photos: "table",
  picture: "bar",
  "no-beer": "bar",
  ending: "bar",
};

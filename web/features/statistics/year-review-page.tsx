import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";

import { getReviewYears, getYearReview, type ReviewYears, type YearReview } from "#contract/year-review.ts";
import { replyOptions } from "#web/client/queries.ts";
import { ButtonLink } from "#web/page/links.tsx";
import { BeerMat, MatMessage, strokePaths } from "#web/ui/beer-mat.tsx";
import { Page, Row, Stack } from "#web/ui/layout.tsx";
import { QueryState } from "#web/ui/query-state.tsx";
import { ReviewCard } from "./year-review-cards.tsx";
import styles from "./year-review-page.module.css";
import {
  chapterTitle,
  gestureStep,
  isTap,
  listCards,
  noReviewYetText,
  yearStateText,
  type CardName,
} from "./year-review-rules.ts";

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
          {(data) => <Story key={year} review={data} onClose={() => setChosen("none")} />}
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

const backgrounds: Record<CardName, "bar" | "slate" | "table"> = {
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
  picture: "bar",
  "no-beer": "bar",
  ending: "bar",
};

/** Turns with buttons, taps, swipes and arrow keys. */
function Story({ review, onClose }: { review: YearReview; onClose: () => void }): ReactNode {
  const [index, setIndex] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const start = useRef<{ startX: number; startY: number } | null>(null);
  const cards = listCards(review);
  const card = cards[index]!;
  const go = (step: number): void => setIndex(Math.min(cards.length - 1, Math.max(0, index + step)));
  const close = (): void => dialog.current?.close();

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => dialog.current?.querySelector("h2")?.focus(), [index]);

  function press(event: PointerEvent): void {
    if (!event.isPrimary || (event.target as Element).closest("button, a, input, label") !== null) return;
    // Keeps the focus on the heading.
    event.preventDefault();
    start.current = { startX: event.clientX, startY: event.clientY };
  }
  function release({ clientX, clientY }: PointerEvent): void {
    if (start.current === null) return;
    const move = { ...start.current, endX: clientX, endY: clientY, width: innerWidth };
    const step = gestureStep(move);
    if (step !== 1 || !isTap(move) || !skipReveal(dialog.current!)) go(step);
    start.current = null;
  }
  function type({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent): void {
    // Alt and an arrow key navigate the history.
    if (altKey || ctrlKey || metaKey || (target as Element).closest("input") !== null) return;
    if (key === "ArrowRight") go(1);
    if (key === "ArrowLeft") go(-1);
  }

  return (
    <dialog
      ref={dialog}
      className={styles["story"]}
      data-ground={backgrounds[card]}
      aria-label={`Jahresrückblick ${review.year}`}
      onClose={onClose}
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={() => (start.current = null)}
      onKeyDown={type}
    >
      <Row gap={0} className={styles["top"]} data-wrap="never" data-justify="between">
        <Progress at={index} of={cards.length} />
        <button type="button" className={styles["button"]} aria-label="Schließen" onClick={close}>
          <X size={26} />
        </button>
      </Row>
      <section key={card} className={styles["card"]} aria-label={`Karte ${index + 1} von ${cards.length}`}>
        <p className={styles["section"]}>{chapterTitle(card)}</p>
        <ReviewCard card={card} review={review} onGo={setIndex} onClose={close} />
      </section>
      <Row gap={0} className={styles["bottom"]} data-wrap="never" data-justify="between">
        <button type="button" className={styles["button"]} disabled={index === 0} onClick={() => go(-1)}>
          <ChevronLeft size={26} />
          Zurück
        </button>
        <button type="button" className={styles["button"]} disabled={index === cards.length - 1} onClick={() => go(1)}>
          Weiter
          <ChevronRight size={26} />
        </button>
      </Row>
    </dialog>
  );
}

function Progress({ at, of }: { at: number; of: number }): ReactNode {
  return (
    <svg className={styles["progress"]} viewBox={`0 0 ${Math.ceil(of / 5) * 44} 40`} aria-hidden="true">
      {strokePaths(of, 0).map((path, index) => (
        <path key={path} d={path} data-done={index <= at || undefined} />
      ))}
    </svg>
  );
}

/** Returns `false` if no animation was running. */
function skipReveal(dialog: HTMLDialogElement): boolean {
  const running = dialog.getAnimations({ subtree: true }).filter((animation) => animation instanceof CSSAnimation);
  for (const animation of running) animation.finish();
  return running.length > 0;
}

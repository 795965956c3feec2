import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";

import type { YearReview } from "#contract/year-review.ts";
import { useCloseOnBack } from "#web/ui/close-on-back.ts";
import { Row } from "#web/ui/layout.tsx";
import { chapterTitle, gestureStep, isTap, listCards, type CardName } from "../rules.ts";
import { CoverCard } from "./cover-card.tsx";
import { EndingCard } from "./ending-card.tsx";
import { BusiestTimeCard, DaysCard, LongestCard, StackCard, TotalCard } from "./group-cards.tsx";
import { CompanyCard, NoBeerCard, OwnCard, ShareOfAllCard, SpanCard } from "./own-cards.tsx";
import { PictureCard } from "./picture-card.tsx";
import { Progress } from "./progress.tsx";
import styles from "./story.module.css";

/**
 * Shows the review of a year as full-screen cards. Only the reader moves to the next card; no timer
 * does.
 */
export function Story({ review, onClose }: { review: YearReview; onClose: () => void }): ReactNode {
  const [index, setIndex] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const cards = listCards(review);
  const card = cards[index]!;
  const go = (step: number): void => setIndex(Math.min(cards.length - 1, Math.max(0, index + step)));

  useEffect(() => dialog.current?.showModal(), []);
  useCloseOnBack(true, () => dialog.current?.close());
  useEffect(() => dialog.current?.querySelector("h2")?.focus(), [index]);
  useGestures(dialog, go);

  return (
    <dialog
      ref={dialog}
      className={styles["story"]}
      data-ground={backgrounds[card]}
      aria-label={`Jahresrückblick ${review.year}`}
      onClose={onClose}
    >
      <Row gap={0} className={styles["top"]} data-wrap="never" data-justify="between">
        <Progress at={index} of={cards.length} />
        <button
          type="button"
          className={styles["button"]}
          aria-label="Schließen"
          onClick={() => dialog.current?.close()}
        >
          <X size={26} />
        </button>
      </Row>
      <section key={card} className={styles["card"]} aria-label={`Karte ${index + 1} von ${cards.length}`}>
        <p className={styles["section"]}>{chapterTitle(card)}</p>
        <Card card={card} review={review} onGo={setIndex} onClose={() => dialog.current?.close()} />
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

/** Background of each card. */
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

interface CardProps {
  readonly card: CardName;
  readonly review: YearReview;
  readonly onGo: (index: number) => void;
  readonly onClose: () => void;
}

function Card({ card, review, onGo, onClose }: CardProps): ReactNode {
  const { year, final, group, own } = review;
  if (card === "cover") return <CoverCard review={review} onGo={onGo} />;
  if (card === "ending") return <EndingCard year={year} onAgain={() => onGo(0)} onClose={onClose} />;
  if (card === "total") return <TotalCard group={group} year={year} />;
  if (card === "stack") return <StackCard group={group} />;
  if (card === "fullest") return <BusiestTimeCard title="Am vollsten war der Tisch" time={group} />;
  if (card === "longest") return <LongestCard group={group} />;
  if (card === "days") return <DaysCard group={group} year={year} />;
  if (card === "picture") return <PictureCard review={review} />;
  if (own === null) return <NoBeerCard year={year} />;
  if (card === "own") return <OwnCard own={own} year={year} />;
  if (card === "share-of-all") return <ShareOfAllCard own={own} group={group} />;
  if (card === "own-times") return <BusiestTimeCard title="Auf dich war Verlass" time={own} />;
  if (card === "span") return <SpanCard own={own} isFinal={final} />;
  return own.company && <CompanyCard company={own.company} />;
}

/** Finishes the running animations of a card; returns `false` if none was running. */
function skipReveal(dialog: HTMLDialogElement): boolean {
  const running = dialog.getAnimations({ subtree: true }).filter((animation) => animation instanceof CSSAnimation);
  for (const animation of running) animation.finish();
  return running.length > 0;
}

/**
 * Handles gestures: taps on the left or right half, swipes and arrow keys. Buttons, links and form
 * fields are not affected.
 */
function useGestures(dialog: { readonly current: HTMLDialogElement | null }, go: (step: number) => void): void {
  const start = useRef<{ startX: number; startY: number } | null>(null);
  const press = useEffectEvent((event: PointerEvent) => {
    if (!event.isPrimary || (event.target as Element).closest("button, a, input, label") !== null) return;
    // Prevents the browser from moving the focus away from the card's heading.
    event.preventDefault();
    start.current = { startX: event.clientX, startY: event.clientY };
  });
  const release = useEffectEvent(({ clientX, clientY }: PointerEvent) => {
    if (start.current === null) return;
    const move = { ...start.current, endX: clientX, endY: clientY, width: innerWidth };
    const step = gestureStep(move);
    if (step !== 1 || !isTap(move) || !skipReveal(dialog.current!)) go(step);
    start.current = null;
  });
  const type = useEffectEvent(({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
    // Ignores keys in form fields, and combinations with Alt, Ctrl or Meta, e.g. Alt with an arrow
    // key, with which the browser navigates its history.
    if (altKey || ctrlKey || metaKey || (target as Element).closest("input") !== null) return;
    if (key === "ArrowRight") go(1);
    if (key === "ArrowLeft") go(-1);
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    dialog.current?.addEventListener("pointerdown", (event) => press(event), { signal });
    dialog.current?.addEventListener("pointerup", (event) => release(event), { signal });
    dialog.current?.addEventListener("pointercancel", () => (start.current = null), { signal });
    dialog.current?.addEventListener("keydown", (event) => type(event), { signal });
    return () => listening.abort();
  }, [dialog]);
}

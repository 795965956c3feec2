import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { QuietLink } from "#web/page/links.tsx";
import { Tally } from "#web/ui/beer-mat.tsx";
import { useReviewYears } from "./api.ts";
import { findHighlightedYear } from "./rules.ts";
import styles from "./year-review-link.module.css";

export function YearReviewStrip(): ReactNode {
  const { data } = useReviewYears();
  const highlighted = data ? findHighlightedYear(data) : null;
  if (highlighted === null) return null;
  return (
    <Link to="/wrapped" className={styles["strip"]}>
      <span className={styles["strokes"]}>
        <Tally count={5} />
      </span>
      <span>
        <strong>{`Jahresrückblick ${highlighted}`}</strong>
        <span className={styles["text"]}>Was vom Jahr auf den Deckeln steht.</span>
      </span>
    </Link>
  );
}

export function YearReviewLink(): ReactNode {
  const { data } = useReviewYears();
  if (!data || data.years.length === 0) return null;
  return (
    <QuietLink to="/wrapped">
      Jahresrückblick
      <ChevronRight size={18} />
    </QuietLink>
  );
}

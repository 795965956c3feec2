import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { QuietLink, StripLink } from "#web/page/links.tsx";
import { useReviewYears } from "./api.ts";
import { findHighlightedYear } from "./rules.ts";

export function YearReviewStrip(): ReactNode {
  const { data } = useReviewYears();
  const highlighted = data ? findHighlightedYear(data) : null;
  if (highlighted === null) return null;
  return (
    <StripLink to="/wrapped" title={`Jahresrückblick ${highlighted}`} text="Was vom Jahr auf den Deckeln steht." />
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

import type { ReactNode } from "react";

import { useSession } from "#web/platform/session.ts";
import { Celebration } from "#web/ui/celebration.tsx";
import { formatNumber } from "#web/ui/german.ts";

import { useMilestones } from "../live.ts";
import { milestoneTexts } from "../rules.ts";

/** Celebrates on every page. */
export function Milestones(): ReactNode {
  const { user } = useSession();
  const { current, onEnd } = useMilestones();
  if (current === undefined || user === null) return null;
  const { kind, count, userId } = current;
  return (
    <Celebration
      key={`${kind} ${count} ${userId}`}
      number={formatNumber(count)}
      {...milestoneTexts(current, user.id)}
      onEnd={onEnd}
    />
  );
}

import { useEffect, useState } from "react";

import type { DataOf } from "#contract/event.ts";
import { milestoneReached } from "#contract/milestones.ts";
import { subscribe } from "#web/data/realtime.ts";

type Milestone = DataOf<typeof milestoneReached>;

/**
 * Returns the milestone to celebrate and a function that continues with the next one, because a
 * single beer can reach two milestones.
 */
export function useMilestones(): { current: Milestone | undefined; onEnd: () => void } {
  const [waiting, setWaiting] = useState<readonly Milestone[]>([]);
  useEffect(
    () =>
      subscribe(milestoneReached, {
        onEvent: (reached) => setWaiting((before) => [...before, reached]),
        // Milestones reached while disconnected are not celebrated later.
        onSubscribed: () => undefined,
      }),
    [],
  );
  return { current: waiting[0], onEnd: () => setWaiting(([, ...rest]) => rest) };
}

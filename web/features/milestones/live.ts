import { useEffect, useState } from "react";

import type { DataOf } from "#contract/event.ts";
import { milestoneReached } from "#contract/milestones.ts";
import { subscribe } from "#web/platform/realtime.ts";

type Milestone = DataOf<typeof milestoneReached>;

/** The milestone to be celebrated now, and what leads on to the next one: one beer can be two of them. */
export function useMilestones(): { current: Milestone | undefined; onEnd: () => void } {
  const [waiting, setWaiting] = useState<readonly Milestone[]>([]);
  useEffect(
    () =>
      subscribe(milestoneReached, {
        onEvent: (reached) => setWaiting((before) => [...before, reached]),
        // Milestones that were missed are not celebrated later.
        onSubscribed: () => undefined,
      }),
    [],
  );
  return { current: waiting[0], onEnd: () => setWaiting(([, ...rest]) => rest) };
}

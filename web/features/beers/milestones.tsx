import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";

import type { DataOf } from "#contract/event.ts";
import { milestoneReached } from "#contract/milestones.ts";
import { useEvent } from "#web/page/queries.ts";
import { useMember } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { milestoneTexts } from "./rules.ts";

/** If loading fails, that milestone is not celebrated. */
const Celebration = lazy(async () => {
  const code = await import("./celebration.tsx").catch(() => null);
  return { default: code?.Celebration ?? NoCelebration };
});

function NoCelebration({ onEnd }: { onEnd: () => void }): ReactNode {
  useEffect(onEnd, [onEnd]);
  return null;
}

export function Milestones(): ReactNode {
  const user = useMember();
  // A beer can reach two milestones.
  const [waiting, setWaiting] = useState<readonly DataOf<typeof milestoneReached>[]>([]);
  // Not celebrated later, if reached while disconnected.
  useEvent(milestoneReached, (reached) => setWaiting((before) => [...before, reached]));
  const current = waiting[0];
  if (current === undefined || user === null) return null;
  const { kind, count, userId, userName, avatarId } = current;
  return (
    <Suspense>
      <Celebration
        key={`${kind} ${count} ${userId}`}
        count={count}
        {...milestoneTexts(current, user.id)}
        picture={userName !== null && <Avatar id={avatarId} name={userName} size={56} />}
        onEnd={() => setWaiting(([, ...rest]) => rest)}
      />
    </Suspense>
  );
}

import { lazy, Suspense, useEffect, type ReactNode } from "react";

import { useSession } from "#web/session/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { useMilestones } from "../live.ts";
import { milestoneTexts } from "../rules.ts";

/**
 * The celebration is loaded lazily at the first milestone. If loading fails, that milestone is not
 * celebrated.
 */
const Celebration = lazy(async () => {
  const code = await import("#web/shared/celebration.tsx").catch(() => null);
  return { default: code?.Celebration ?? NoCelebration };
});

function NoCelebration({ onEnd }: { onEnd: () => void }): ReactNode {
  useEffect(onEnd, [onEnd]);
  return null;
}

/** Celebrates milestones. Mounted on every page. */
export function Milestones(): ReactNode {
  const { user } = useSession();
  const { current, onEnd } = useMilestones();
  if (current === undefined || user === null) return null;
  const { kind, count, userId, userName, avatarId } = current;
  return (
    <Suspense>
      <Celebration
        key={`${kind} ${count} ${userId}`}
        count={count}
        {...milestoneTexts(current, user.id)}
        picture={userName !== null && <Avatar id={avatarId} name={userName} size={56} />}
        onEnd={onEnd}
      />
    </Suspense>
  );
}

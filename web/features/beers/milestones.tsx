import { useState, type ReactNode } from "react";

import type { DataOf } from "#contract/event.ts";
import { milestoneReached } from "#contract/milestones.ts";
import { useEvent } from "#web/page/queries.ts";
import { useMember } from "#web/page/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Celebration } from "./celebration.tsx";
import { milestoneTexts } from "./rules.ts";

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
    <Celebration
      key={`${kind} ${count} ${userId}`}
      count={count}
      {...milestoneTexts(current, user.id)}
      picture={userName !== null && <Avatar id={avatarId} name={userName} size={56} />}
      onEnd={() => setWaiting(([, ...rest]) => rest)}
    />
  );
}

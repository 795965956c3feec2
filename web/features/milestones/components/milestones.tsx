import type { ReactNode } from "react";

import { useSession } from "#web/platform/session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Celebration } from "#web/ui/celebration.tsx";

import { useMilestones } from "../live.ts";
import { milestoneTexts } from "../rules.ts";

/** Celebrates on every page. */
export function Milestones(): ReactNode {
  const { user } = useSession();
  const { current, onEnd } = useMilestones();
  if (current === undefined || user === null) return null;
  const { kind, count, userId, userName, avatarId } = current;
  return (
    <Celebration
      key={`${kind} ${count} ${userId}`}
      count={count}
      {...milestoneTexts(current, user.id)}
      picture={<Avatar id={avatarId} name={userName} size={56} />}
      onEnd={onEnd}
    />
  );
}

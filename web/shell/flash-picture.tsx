import type { ReactNode } from "react";

import { Avatar } from "#web/ui/avatar.tsx";

/** Returns a member's picture for a flash message; `avatarId` is `null` for the default picture. */
export function flashPicture(avatarId: string | null, name: string): ReactNode {
  return <Avatar id={avatarId} name={name} size={40} />;
}

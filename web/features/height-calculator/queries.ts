import type { ReactNode } from "react";

import { getMemberAvatar } from "#contract/height-calculator.ts";
import { call } from "#web/platform/api.ts";
import { useQuery } from "#web/platform/query-client.ts";
import { useGroup, useSession } from "#web/platform/session.ts";

/** The member who requested this page. */
const requesterId = 2;

export interface Requester {
  readonly name: string;
  /** Undefined for visitors, and where it could not be loaded. */
  readonly picture?: ReactNode;
}

/** Who requested this page. For visitors it is the configured name, without a call. */
export function useRequester(): Requester {
  const { height_requested_by } = useGroup();
  const isMember = useSession().user !== null;
  const { data } = useQuery({
    queryKey: ["height-calculator", "requester"],
    queryFn: async ({ signal }) => {
      const { avatarId, name } = await call(getMemberAvatar, { params: { id: requesterId }, signal });
      if (avatarId !== null && !(await canLoadPicture(avatarId))) return { name };
      const { flashPicture } = await import("#web/platform/flash-picture.tsx");
      return { name, picture: flashPicture(avatarId, name) };
    },
    enabled: isMember,
    retry: false,
    staleTime: 30_000,
  });
  return (isMember && data) || { name: height_requested_by };
}

function canLoadPicture(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    image.addEventListener("load", () => resolve(true));
    image.addEventListener("error", () => resolve(false));
    image.src = `/internal/images/avatar/${id}`;
  });
}

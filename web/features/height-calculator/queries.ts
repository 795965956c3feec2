import { getMemberAvatar } from "#contract/height-calculator.ts";
import { call } from "#web/platform/api.ts";
import { useQuery } from "#web/platform/query-client.ts";
import { useGroup, useSession } from "#web/platform/session.ts";

/** The member who requested this page. */
const requesterId = 2;

export interface Requester {
  readonly name: string;
  /** Undefined where the picture could not be loaded; null is the default picture. */
  readonly avatarId?: string | null;
}

/** Who requested this page. For visitors it is the configured name, without a call. */
export function useRequester(): Requester {
  const { height_requested_by: name } = useGroup();
  const isMember = useSession().user !== null;
  const { data } = useQuery({
    queryKey: ["height-calculator", "requester"],
    queryFn: async ({ signal }) => {
      const face = await call(getMemberAvatar, { params: { id: requesterId }, signal });
      const isThere = face.avatarId === null || (await canLoadPicture(face.avatarId));
      return isThere ? face : { name: face.name };
    },
    enabled: isMember,
    retry: false,
    staleTime: 30_000,
  });
  return (isMember && data) || { name };
}

function canLoadPicture(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    image.addEventListener("load", () => resolve(true));
    image.addEventListener("error", () => resolve(false));
    image.src = `/internal/images/avatar/${id}`;
  });
}

import type { ReactNode } from "react";

import { Portrait } from "#web/ui/avatar.tsx";
import { useTvPicture } from "../queries.ts";

/** Shows a member's profile picture with a width of `size` pixels. */
export function TvPortrait({ id, name, size }: { id: string | null; name: string; size: number }): ReactNode {
  return <Portrait src={useTvPicture(id)} name={name} size={Math.round(size)} />;
}

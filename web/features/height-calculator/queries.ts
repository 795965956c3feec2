import type { ReactNode } from "react";

import { getMemberAvatar } from "#contract/height-calculator.ts";
import { call } from "#web/data/api.ts";

/** Id of the member who asked the developers for this page. */
const requesterId = 2;
/** Milliseconds after which the message is shown without the requester's data. */
const maxWait = 3000;

export interface Requester {
  readonly name: string;
  /** Profile picture; `undefined` if the requester has none or it could not be loaded. */
  readonly picture?: ReactNode;
}

/**
 * Loads the name and picture of the member who asked for this page; `undefined` after a failure or
 * timeout. Only members may call it.
 */
export async function findRequester(): Promise<Requester | undefined> {
  try {
    const signal = AbortSignal.timeout(maxWait);
    const { avatarId, name } = await call(getMemberAvatar, { params: { id: requesterId }, signal });
    if (avatarId !== null && !(await canLoadPicture(avatarId, signal))) return { name };
    const { flashPicture } = await import("#web/shell/flash-picture.tsx");
    return { name, picture: flashPicture(avatarId, name) };
  } catch {
    return undefined;
  }
}

function canLoadPicture(id: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const image = new Image();
    image.addEventListener("load", () => resolve(true));
    image.addEventListener("error", () => resolve(false));
    signal.addEventListener("abort", () => resolve(false));
    image.src = `/internal/images/avatar/${id}`;
  });
}

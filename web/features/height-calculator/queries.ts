import type { ReactNode } from "react";

import { getMemberAvatar } from "#contract/height-calculator.ts";
import { call } from "#web/data/api.ts";

/** Id of the member who requested this page. */
const requesterId = 2;
/** Milliseconds for which the message waits for the requester. */
const maxWait = 3000;

export interface Requester {
  readonly name: string;
  /** `undefined` if there is no picture or its loading failed. */
  readonly picture?: ReactNode;
}

/** Loads the member who requested this page, for members only; `undefined` on a failure or timeout. */
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

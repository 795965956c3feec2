import { useEffect } from "react";

import { toasted } from "#contract/presence.ts";
import { flashPicture } from "#web/platform/flash-picture.tsx";
import { showFlash } from "#web/platform/flash.tsx";
import { subscribe } from "#web/platform/realtime.ts";
import { addToast, describeToasts, type Toasts } from "./rules.ts";

/** Shows who toasts back, on every page. */
export function usePresenceLive(): void {
  useEffect(() => {
    let before: Toasts | null = null;
    return subscribe(toasted, {
      onEvent({ userName: name, avatarId }) {
        before = addToast(before, performance.now());
        const text = describeToasts(before, name);
        showFlash({ type: "info", text, ...(before.count === 1 && { picture: flashPicture(avatarId, name) }) });
      },
      onSubscribed() {},
    });
  }, []);
}

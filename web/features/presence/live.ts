import { useEffect } from "react";

import { toasted } from "#contract/presence.ts";
import { subscribe } from "#web/data/realtime.ts";
import { flashPicture } from "#web/shell/flash-picture.tsx";
import { showFlash } from "#web/shell/flash.tsx";
import { addToast, describeToasts, type Toasts } from "./rules.ts";

/** Shows a flash message when another member toasts the logged-in member. Runs on every page. */
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

import { savePresence, toastMember } from "#contract/presence.ts";
import { call } from "#web/data/api.ts";
import { replaceMember } from "#web/session/session.ts";
import { flashPicture } from "#web/shell/flash-picture.tsx";
import { showFlash } from "#web/shell/flash.tsx";
import { pendingToast, type ToastTarget } from "./queries.ts";

/** Sends the member a toast in return for the member's beer. */
export async function toastBack({ userId, userName: name, avatarId }: ToastTarget): Promise<void> {
  pendingToast.set(null);
  showFlash({ type: "success", text: `Prost, ${name}!`, picture: flashPicture(avatarId, name) });
  await call(toastMember, { params: { id: userId } });
}

/**
 * Ends the member's pause, so that others are notified of the member's beers again. `isShown` is
 * sent unchanged: the setting that shows the member among the present members. Resolves to a flash
 * message.
 */
export async function endPause(isShown: boolean): Promise<string> {
  const { data } = await call(savePresence, { body: { is_shown: isShown, is_paused: false } });
  replaceMember(data);
  return "Schön, dass du wieder dabei bist!";
}

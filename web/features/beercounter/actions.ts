import { savePresence, toastMember } from "#contract/presence.ts";
import { call } from "#web/platform/api.ts";
import { flashPicture } from "#web/platform/flash-picture.tsx";
import { showFlash } from "#web/platform/flash.tsx";
import { replaceMember } from "#web/platform/session.ts";
import { missedToast, type Toastable } from "./queries.ts";

/** Toasts back to the member of this beer. */
export async function toastBack({ userId, userName: name, avatarId }: Toastable): Promise<void> {
  missedToast.set(null);
  showFlash({ type: "success", text: `Prost, ${name}!`, picture: flashPicture(avatarId, name) });
  await call(toastMember, { params: { id: userId } });
}

/** Ends the break: one's beers are announced by name again, and one's bar is back. Resolves to the flash text. */
export async function endPause(isShown: boolean): Promise<string> {
  const { data } = await call(savePresence, { body: { is_shown: isShown, is_paused: false } });
  replaceMember(data);
  return "Schön, dass du wieder dabei bist!";
}

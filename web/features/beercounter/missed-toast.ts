import type { DataOf } from "#contract/event.ts";
import type { toasted } from "#contract/presence.ts";
import { createStore } from "#web/platform/store.ts";

export type Toastable = DataOf<typeof toasted>;

/** How long somebody can be toasted back after the flash has gone, in milliseconds. */
const offerMs = 60_000;

/** The member whose beer was announced last, for a minute or until it was answered. */
export const missedToast = createStore<Toastable | null>(null);

export function offerToast(member: Toastable): void {
  missedToast.set(member);
  setTimeout(() => missedToast.get() === member && missedToast.set(null), offerMs);
}

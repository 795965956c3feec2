import { tapHeaders } from "#contract/beercounter.ts";
import { drinkGuestBeer, undoGuestBeer, type PartyGuest } from "#contract/party-guests.ts";
import { call } from "#web/platform/api.ts";
import { confirm } from "#web/platform/confirm.tsx";
import { showFlash } from "#web/platform/flash.tsx";
import { isPending, isWaiting } from "#web/platform/outbox-rules.ts";
import { createOutboxStorage, type OutboxEntry } from "#web/platform/outbox-storage.ts";
import { createOutbox } from "#web/platform/outbox.ts";
import { reloadParties } from "#web/platform/parties/queries.ts";
import { addLogoutHook, useSession } from "#web/platform/session.ts";
import { useStore } from "#web/platform/store.ts";
import { setUserItem } from "#web/platform/user-storage.ts";
import { applyGuestTotal } from "../queries.ts";
import { guestTapsItem } from "../rules.ts";

/** Beers of guests wait in a database of their own: what earlier versions find among the member's they would book for the member. */
const outbox = createOutbox<{ total: number }>({
  storage: createOutboxStorage("stammtisch-guests"),
  send,
  onAdded: () => undefined,
  onNotSaved() {
    showFlash({ type: "error", text: "Das Bier ließ sich hier nicht speichern und zählt nicht. Tipp bitte nochmal." });
  },
  onCancelled: forgetIfEmpty,
  onDelivered(entry, reply) {
    if (reply) applyGuestTotal(toBody(entry), entry, reply.total);
    void reloadParties();
    forgetIfEmpty();
  },
  onRefused({ key, memberId, isRecalled, body }, reason) {
    void reloadParties();
    // It counts nowhere, so that it is cancelled without a question, and the answer to that says nothing new.
    if (isRecalled && refusedKeys.delete(key)) return;
    if (!isRecalled) {
      refusedKeys.add(key);
      void outbox.cancel(key, memberId, { body: body! });
    }
    if (reason === null) return;
    showFlash({ type: "error", text: `${isRecalled ? "Das Bier zählt weiter." : "Das Bier zählt nicht."} ${reason}` });
  },
});

/** Pages load this file at once only while something waits. */
function forgetIfEmpty(): void {
  if (outbox.entries.get().length === 0) setUserItem(guestTapsItem, false);
}

const refusedKeys = new Set<string>();

export interface GuestTapBody {
  readonly party: number;
  readonly guest: number;
}

function toBody({ body }: Pick<OutboxEntry, "body">): GuestTapBody {
  return { party: Number(body?.["party"]), guest: Number(body?.["guest"]) };
}

function send(entry: OutboxEntry, signal: AbortSignal): Promise<{ total: number }> {
  const { key, memberId, postedAt, isRecalled } = entry;
  const { guest } = toBody(entry);
  const member = { [tapHeaders.member]: String(memberId) };
  if (isRecalled) return call(undoGuestBeer, { params: { guest, key }, headers: member, signal });
  const age = String(Math.max(0, Date.now() - postedAt));
  const headers = { ...member, [tapHeaders.key]: key, [tapHeaders.age]: age };
  return call(drinkGuestBeer, { params: { guest }, headers, signal });
}

let stopAsking = (): void => undefined;

/** From now on the guests' beers of this member are sent, those that wait at once. */
export function activateGuestTaps(memberId: number): void {
  outbox.activate(memberId);
  stopAsking();
  stopAsking = addLogoutHook({
    async confirm() {
      const left = await outbox.flush();
      if (left === 0) return true;
      return confirm({
        title: "Biere deiner Gäste warten noch",
        text: "Noch nicht gebucht! Nach dem Logout bleibt in diesem Browser nichts davon zurück.",
        action: "Verwerfen und abmelden",
      });
    },
    clear: () => outbox.clear(),
  });
}

export interface GuestCounter {
  readonly total: number;
  /** Beers without an answer after at least one try. */
  readonly waiting: number;
  readonly drink: () => void;
  /** Takes the newest beer back; `null` if there is none to take back. */
  readonly undo: (() => void) | null;
}

/** The beers of a guest, as far as this device knows them. */
export function useGuestCounter(partyId: number, { id, total, undo_keys }: PartyGuest): GuestCounter {
  const memberId = useSession().user?.id;
  const entries = useStore(outbox.entries).filter((entry) => toBody(entry).guest === id);
  const isBooked = ({ key }: OutboxEntry): boolean => undo_keys.includes(key);
  const pending = entries.filter(isPending);
  const recalled = entries.filter(({ isRecalled }) => isRecalled);
  const keys = [
    ...undo_keys.filter((key) => !recalled.some((entry) => entry.key === key)),
    ...pending.filter((entry) => !isBooked(entry)).map(({ key }) => key),
  ];
  const newest = keys.at(-1);
  const about = { body: { party: String(partyId), guest: String(id) } };
  return {
    total: total + pending.filter((entry) => !isBooked(entry)).length - recalled.filter(isBooked).length,
    waiting: pending.filter(isWaiting).length,
    drink() {
      if (memberId === undefined) return;
      setUserItem(guestTapsItem, true);
      outbox.add(memberId, about);
    },
    undo: newest === undefined || memberId === undefined ? null : () => void outbox.cancel(newest, memberId, about),
  };
}

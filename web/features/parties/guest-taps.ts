import { drinkGuestBeer, undoGuestBeer, type PartyGuest } from "#contract/party-guests.ts";
import type { ShownParty } from "#contract/party.ts";
import { call } from "#web/client/api.ts";
import { headersOf, isPending, isWaiting } from "#web/data/outbox-rules.ts";
import { createOutboxStorage, type OutboxEntry } from "#web/data/outbox-storage.ts";
import { createOutbox } from "#web/data/outbox.ts";
import { queryClient } from "#web/data/query-client.ts";
import { reloadParties, shownPartyKey } from "#web/features/beers/api.ts";
import { confirm } from "#web/page/confirm.tsx";
import { showMessage } from "#web/page/messages.tsx";
import { useStore, addLogoutHook, useMember } from "#web/page/session.ts";
import { setUserItem } from "#web/session/user-storage.ts";
import { guestTapsItem } from "./rules.ts";

/**
 * Guest taps have a separate outbox, because earlier app versions would book an entry of the
 * member's outbox as the member's own beer.
 */
const outbox = createOutbox<{ total: number }>({
  storage: createOutboxStorage("stammtisch-guests"),
  send,
  onAdded: () => undefined,
  onNotSaved() {
    showMessage({
      type: "error",
      text: "Das Bier ließ sich hier nicht speichern und zählt nicht. Tipp bitte nochmal.",
    });
  },
  onCancelled: forgetIfEmpty,
  onDelivered(entry, reply) {
    if (reply) applyGuestTotal(entry, reply.total);
    void reloadParties();
    forgetIfEmpty();
  },
  onRefused({ key, memberId, isRecalled, body }, reason) {
    void reloadParties();
    // The cancellation of a tap that the server had refused, and that counts nowhere, needs no message.
    if (isRecalled && refusedKeys.delete(key)) return;
    if (!isRecalled) {
      refusedKeys.add(key);
      void outbox.cancel(key, memberId, { body: body! });
    }
    if (reason === null) return;
    showMessage({
      type: "error",
      text: `${isRecalled ? "Das Bier zählt weiter." : "Das Bier zählt nicht."} ${reason}`,
    });
  },
});

/** Clears the flag that makes pages load this module. */
function forgetIfEmpty(): void {
  if (outbox.entries.get().length === 0) setUserItem(guestTapsItem, false);
}

const refusedKeys = new Set<string>();

interface GuestTapBody {
  readonly party: number;
  readonly guest: number;
}

function toBody({ body }: Pick<OutboxEntry, "body">): GuestTapBody {
  return { party: Number(body?.["party"]), guest: Number(body?.["guest"]) };
}

/** Updates a guest's beers in the cached party until the party is refetched. */
function applyGuestTotal(entry: OutboxEntry, total: number): void {
  const { key, isRecalled } = entry;
  const { party: partyId, guest: guestId } = toBody(entry);
  queryClient.setQueryData<ShownParty>([...shownPartyKey, partyId], (party) => {
    const before = party?.guests.find(({ id }) => id === guestId);
    if (!party || !before) return party;
    const others = before.undo_keys.filter((one) => one !== key);
    const after = { ...before, total, undo_keys: isRecalled ? others : [...others, key] };
    return {
      ...party,
      total: party.total + total - before.total,
      guest_total: party.guest_total + total - before.total,
      guests: party.guests.map((guest) => (guest === before ? after : guest)),
    };
  });
}

function send(entry: OutboxEntry, signal: AbortSignal): Promise<{ total: number }> {
  const { key, isRecalled } = entry;
  const { guest } = toBody(entry);
  const headers = headersOf(entry);
  if (isRecalled) return call(undoGuestBeer, { params: { guest, key }, headers, signal });
  return call(drinkGuestBeer, { params: { guest }, headers, signal });
}

let stopAsking = (): void => undefined;

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
  /** Number of beers that were sent at least once without a reply. */
  readonly waiting: number;
  readonly drink: () => void;
  /** `null` if no beer can be undone. */
  readonly undo: (() => void) | null;
}

/** Includes pending beers of this device. */
export function useGuestCounter(partyId: number, { id, total, undo_keys }: PartyGuest): GuestCounter {
  const memberId = useMember()?.id;
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

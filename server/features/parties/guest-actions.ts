import { tapHeaders, tapLimits } from "#contract/beercounter.ts";
import { guestTokenDays } from "#contract/guest-device.ts";
import { guestLimits, type PartyGuest } from "#contract/party-guests.ts";
import type { Db } from "#server/db/connect.ts";
import { publishCounterChange, publishGuestBeers } from "#server/features/beers/actions.ts";
import { remainingUndoTime } from "#server/features/beers/rules.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { isNamed } from "#server/features/members/rules.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { days } from "#server/time.ts";
import * as rules from "./guest-rules.ts";
import * as store from "./guest-store.ts";
import * as partyRules from "./rules.ts";
import * as partyStore from "./store.ts";

export async function addGuest(
  context: Context,
  member: Member,
  partyId: number,
  name: string,
): Promise<{ id: number }> {
  const id = await change(context, member.id, async (tx, say) => {
    await beerStore.incrementVersion(tx);
    const party = await partyStore.findParty(tx, partyId);
    if (!party) throw refuse("notFound");
    if (!partyRules.isRunning(party, context.clock.now())) throw refuse("partyEnded");
    if (!(await store.hasMember(tx, partyId, member.id))) throw refuse("notAtParty");
    await checkNewGuest(tx, partyId, name);
    const guest = await store.createGuest(tx, { party_id: partyId, name, added_by: member.id });
    await publishCounterChange(tx, say);
    return guest;
  });
  return { id };
}

export async function checkNewGuest(tx: Db, partyId: number, name: string): Promise<void> {
  const guests = await store.listGuests(tx, partyId);
  if (guests.length >= guestLimits.count) throw refuse("tooManyGuests");
  if (guests.some((guest) => guest.name !== null && rules.isSameName(guest.name, name)))
    throw refuseField("name", "guestNameTaken");
}

/** Finds the guest in the transaction of the tap; refuses callers who may not count for the guest. */
export type FindCounted = (
  tx: Db,
) => Promise<{ readonly id: number; readonly starts_at: number; readonly ends_at: number }>;

/** `age` is the milliseconds since the button was pressed. */
export interface GuestTap {
  readonly key: string | null;
  readonly age: number;
}

/** Idempotent. The beer must have been drunk while the party was running; its tap may arrive later. */
export async function drinkBeer(
  context: Context,
  find: FindCounted,
  { key, age }: GuestTap,
): Promise<{ total: number }> {
  if (key === null) throw refuseField(tapHeaders.key, "required");
  if (age > tapLimits.age) throw refuseField(tapHeaders.age, "tooOld");
  const now = context.clock.now();
  const at = now - age;
  return changeBeers(context, find, async (tx, guest) => {
    if (await store.findBeer(tx, guest.id, key)) return false;
    if (!partyRules.isRunning(guest, at)) throw refuse("partyEnded");
    await createBeer(tx, { guest_id: guest.id, key, at, booked_at: now });
    return true;
  });
}

/** Works even after the end of the party. Stores the key of a tap that has not arrived yet, so that it never counts. */
export async function undoBeer(
  context: Context,
  find: FindCounted,
  key: string,
  check: (beer: { readonly at: number }, now: number) => void = () => {},
): Promise<{ total: number }> {
  const now = context.clock.now();
  return changeBeers(context, find, async (tx, { id }) => {
    const beer = await store.findBeer(tx, id, key);
    if (!beer) await createBeer(tx, { guest_id: id, key, at: now, booked_at: now, is_undone: 1 });
    if (beer?.is_undone !== 0) return false;
    check(beer, now);
    if (remainingUndoTime(beer, now) === 0) throw refuse("undoTooLate");
    await store.markBeerUndone(tx, beer.id);
    return true;
  });
}

async function createBeer(tx: Db, beer: Parameters<typeof store.createBeer>[1]): Promise<void> {
  if ((await store.countKeysOf(tx, beer.guest_id)) >= guestLimits.beers) throw refuse("tooManyGuestBeers");
  await store.createBeer(tx, beer);
}

/** `work` returns `false` if it changed no count, e.g. for a retry. */
async function changeBeers(
  context: Context,
  find: FindCounted,
  work: (tx: Db, guest: Awaited<ReturnType<FindCounted>>) => Promise<boolean>,
) {
  return change(context, null, async (tx, say) => {
    await beerStore.lockGroupTotal(tx);
    const guest = await find(tx);
    if (await work(tx, guest)) {
      await beerStore.incrementVersion(tx);
      await publishGuestBeers(tx, say, context);
    }
    return { total: await store.countBeersOf(tx, guest.id) };
  });
}

export function countedAtTablet(guestId: number): FindCounted {
  return async (tx) => findExistingGuest(tx, guestId);
}

export function countedBy(member: Member, guestId: number): FindCounted {
  return async (tx) => {
    const guest = await findExistingGuest(tx, guestId);
    if (!rules.canCountFor(member, guest, guest)) throw refuse("notYourGuest");
    return guest;
  };
}

/** Refuses a removed guest with 422, because clients would retry after a 404. */
async function findExistingGuest(tx: Db, guestId: number) {
  const guest = await store.findGuest(tx, guestId);
  if (!guest) throw refuse("guestGone");
  return guest;
}

type Party = NonNullable<Awaited<ReturnType<typeof partyStore.findParty>>>;

/** Names the guests only while the party is running, as this member may see them. */
export async function findGuests(
  db: Db,
  party: Party,
  member: Member,
  now: number,
  counts: Awaited<ReturnType<typeof store.countBeers>>,
) {
  const all = await store.listGuests(db, party.id);
  const isRunning = partyRules.isRunning(party, now);
  const newest = isRunning ? await store.listBeersBookedSince(db, party.id, now - tapLimits.undo) : [];
  const totalOf = (guestId: number): number =>
    counts.reduce((sum, { guest_id, count }) => sum + (guest_id === guestId ? count : 0), 0);
  const guests = all.flatMap((guest): PartyGuest[] => {
    const { id, name, added_by, by, token_hash } = guest;
    if (!isRunning || name === null) return [];
    const can_count = rules.canCountFor(member, guest, party);
    return [
      {
        id,
        name,
        by: isNamed(guest, "guestHosts") ? by : null,
        total: totalOf(id),
        can_count,
        can_remove: added_by === member.id || partyRules.isManager(member, party),
        is_by_qr: token_hash !== null,
        undo_keys: newest.filter(({ guest_id }) => can_count && guest_id === id).map(({ key }) => key),
      },
    ];
  });
  const asking = partyRules.isManager(member, party) ? all.filter(({ request }) => request === "open") : [];
  return {
    guests,
    guest_count: all.length,
    asking_guests: asking.map(({ id, requested_name }) => ({ id, name: requested_name ?? "", total: totalOf(id) })),
  };
}

/** Returns the request of a guest that the member may answer. */
export async function findAsking({ db, clock }: Pick<Context, "db" | "clock">, member: Member) {
  const startedBy = member.permissions.includes("admin") ? null : member.id;
  const found = await store.findOpenRequest(db, startedBy, clock.now() - days(guestTokenDays));
  return found ?? null;
}

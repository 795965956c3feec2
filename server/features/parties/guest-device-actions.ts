import type { IncomingHttpHeaders } from "node:http";

import { tapLimits } from "#contract/beercounter.ts";
import type { BodyOf, ReplyOf } from "#contract/endpoint.ts";
import * as contract from "#contract/guest-device.ts";
import type { Db } from "#server/db/connect.ts";
import { bookBeers, publishCounterChange } from "#server/features/beers/actions.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { isNamed } from "#server/features/members/rules.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { createRandomToken, sha256 } from "#server/platform/http/session-cookies.ts";
import type { Say } from "#server/platform/say.ts";
import { days } from "#server/time.ts";
import { findExistingParty, fromStart, manageParty, readParty } from "./actions.ts";
import { checkNewGuest, type FindCounted } from "./guest-actions.ts";
import * as store from "./guest-store.ts";
import * as rules from "./rules.ts";
import * as partyStore from "./store.ts";

/** Only members who are at the party, like those who add guests. */
export async function findGuestLink({ db, clock }: Context, member: Member, partyId: number) {
  const party = await findExistingParty(db, partyId);
  const isPossible = rules.isRunning(party, clock.now()) && (await store.hasMember(db, partyId, member.id));
  return { secret: isPossible ? party.guest_secret : null };
}

export async function switchGuestLink(
  context: Context,
  member: Member,
  partyId: number,
  isOpen: boolean,
): Promise<void> {
  await manageParty(context, member, partyId, "party-guest-link-switched", async (tx, _, party) => {
    if (!rules.isRunning(party, context.clock.now())) throw refuse("partyEnded");
    if (isOpen === (party.guest_secret !== null)) return;
    await partyStore.updateParty(tx, partyId, { guest_secret: isOpen ? createRandomToken() : null });
  });
}

type GuestLink = Pick<BodyOf<typeof contract.joinAsGuest>, "party" | "secret">;

async function findInvitingParty(db: Db, { party: id, secret }: GuestLink, now: number) {
  const party = await partyStore.findParty(db, id);
  return party && party.guest_secret === secret && rules.isRunning(party, now) ? party : undefined;
}

export async function findGuestInvitation(
  { db, clock }: Context,
  link: GuestLink,
): Promise<ReplyOf<typeof contract.getGuestInvitation>> {
  const party = await findInvitingParty(db, link, clock.now());
  return { party: party ? { name: party.name, by: isNamed(party, "invitations") ? party.creator : null } : null };
}

export async function join(
  context: Context,
  headers: IncomingHttpHeaders,
  { name, ...link }: BodyOf<typeof contract.joinAsGuest>,
): Promise<void> {
  const token_hash = hashToken(headers);
  const now = context.clock.now();
  if (!(await findInvitingParty(context.db, link, now))) throw refuse("guestLinkInvalid");
  await change(context, null, async (tx, say) => {
    await beerStore.incrementVersion(tx);
    const party = await findInvitingParty(tx, link, now);
    if (!party) throw refuse("guestLinkInvalid");
    const known = await store.findGuestByToken(tx, token_hash);
    if (known && known.party_id !== party.id) throw refuse("guestLinkInvalid");
    if (!known) {
      await checkNewGuest(tx, party.id, name);
      await store.createGuest(tx, { party_id: party.id, name, added_by: party.created_by, token_hash });
    }
    await publishCounterChange(tx, say);
  });
}

function hashToken(headers: IncomingHttpHeaders): string {
  const { data } = contract.guestToken.safeParse(headers[contract.guestTokenHeader.toLowerCase()]);
  if (data === undefined) throw refuse("guestGone");
  return sha256(data);
}

type DeviceGuest = NonNullable<Awaited<ReturnType<typeof store.findGuestByToken>>>;

/** Refuses a missing, unknown or ended token, and one of a removed guest, with the same answer. */
async function findDeviceGuest(db: Db, headers: IncomingHttpHeaders, now: number): Promise<DeviceGuest> {
  const guest = await store.findGuestByToken(db, hashToken(headers));
  if (!guest || guest.ends_at + days(contract.guestTokenDays) <= now) throw refuse("guestGone");
  return guest;
}

/** Looks before the transaction, too, so that strangers do not make members wait for its lock. */
export async function countedByDevice({ db, clock }: Context, headers: IncomingHttpHeaders): Promise<FindCounted> {
  const find: FindCounted = (tx) => findDeviceGuest(tx, headers, clock.now());
  await find(db);
  return find;
}

export async function findGuestScreen(
  { db, clock }: Context,
  headers: IncomingHttpHeaders,
): Promise<contract.GuestScreen> {
  const now = clock.now();
  const guest = await findDeviceGuest(db, headers, now);
  const party = { ...guest, id: guest.party_id, name: guest.party };
  const is_running = rules.isRunning(party, now);
  const { members, counts } = await readParty(db, party);
  const { total, guest_total } = rules.summarizeTimes(counts);
  const present = members.filter((member) => is_running && member.is_home === 0 && isNamed(member, "parties"));
  const newest = await store.listBeersBookedSince(db, party.id, now - tapLimits.undo);
  return {
    party: {
      name: guest.party,
      is_running,
      total,
      guest_total,
      members: present.map(({ name }) => name).toSorted((one, other) => one.localeCompare(other, "de")),
    },
    name: guest.name,
    total: await store.countBeersOf(db, guest.id),
    undo_keys: newest.filter(({ guest_id }) => guest_id === guest.id).map(({ key }) => key),
    request: guest.request,
  };
}

export async function leave(context: Context, headers: IncomingHttpHeaders): Promise<void> {
  await changeGuest(context, headers, async (tx, guest, isRunning) => {
    if (!isRunning) throw refuse("partyEnded");
    await store.deleteGuest(tx, guest.id);
  });
}

export async function askForMembership(
  context: Context,
  headers: IncomingHttpHeaders,
  { name }: BodyOf<typeof contract.askForMembership>,
): Promise<void> {
  await changeGuest(context, headers, async (tx, guest, isRunning, say) => {
    if (guest.request === "open") return;
    if (isRunning || guest.request !== null) throw refuse("cannotAsk");
    await store.updateGuest(tx, guest.id, { request: "open", requested_name: name });
    const { party_id: party, created_by: starter } = guest;
    await say.event(contract.guestAsked, { party, name }, starter);
    await say.push({
      kind: "party",
      about: `${party} guest`,
      senderId: null,
      to: starter,
      body: `${name} war bei „${guest.party}“ zu Gast und möchte Mitglied werden.`,
    });
  });
}

/** Locks the counts first, like every change of a party. */
async function changeGuest(
  context: Context,
  headers: IncomingHttpHeaders,
  work: (tx: Db, guest: DeviceGuest, isRunning: boolean, say: Say) => Promise<void>,
): Promise<void> {
  const now = context.clock.now();
  await findDeviceGuest(context.db, headers, now);
  await change(context, null, async (tx, say) => {
    await beerStore.incrementVersion(tx);
    const guest = await findDeviceGuest(tx, headers, now);
    await work(tx, guest, rules.isRunning(guest, now), say);
    await publishCounterChange(tx, say);
  });
}

/** Gives the beers of the guest with this token to a new member, who then has taken part in the party. */
export async function turnIntoMember(tx: Db, tokenHash: string, userId: number, timeZone: string): Promise<void> {
  const guest = await store.findGuestByToken(tx, tokenHash);
  if (!guest) return;
  const beers = await store.listBeersOf(tx, guest.id);
  await store.deleteGuest(tx, guest.id);
  await partyStore.createStay(tx, guest.party_id, userId, fromStart);
  await bookBeers(
    tx,
    beers.map((beer) => ({ ...beer, userId })),
    timeZone,
  );
}

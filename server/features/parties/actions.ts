import { compareDrinkers, type PartyNumbers } from "#contract/beercounter.ts";
import { partyStarted } from "#contract/party-events.ts";
import { type ListedParty, partyLimits, type RunningParty, type ShownParty } from "#contract/party.ts";
import { isShownWith } from "#contract/visibility.ts";
import { type Db } from "#server/db/connect.ts";
import { maxId } from "#server/db/paginate.ts";
import { publishCounterChange } from "#server/features/beers/actions.ts";
import type { VersionedTotals } from "#server/features/beers/store.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import { isDeletedAccount, isNamed } from "#server/features/members/rules.ts";
import { change } from "#server/platform/change.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Context } from "#server/platform/context.ts";
import { checkRecentPasskey, checkRecentPassword, type Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { createRandomToken } from "#server/platform/http/session-cookies.ts";
import type { Say } from "#server/platform/say.ts";
import { toIso } from "#server/time.ts";
import { findGuests } from "./guest-actions.ts";
import * as guestStore from "./guest-store.ts";
import { isPhotoAddable, isPhotoTime, toPhoto } from "./photo-rules.ts";
import * as photoStore from "./photo-store.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";
import { findRound, tellEnd } from "./story-actions.ts";

const pageSize = 20;
/** Value of `counts_from` for a stay whose beers count from the start of the party. */
export const fromStart = 0;

export async function startParty(context: Context, member: Member, name: string): Promise<{ id: number }> {
  const { clock, config } = context;
  const starts_at = clock.now();
  const { id: userId, name: userName, avatarId } = member;
  const isShown = isShownWith(member.visibility, "partyStarters");
  const creator = isShown ? { userId, userName, avatarId } : { userId: null, userName: null, avatarId: null };
  return change(context, member.id, async (tx, say) => {
    // Locks the counts, so that concurrent starts cannot exceed the limit of running parties.
    await beerStore.incrementVersion(tx);
    if ((await store.countRunning(tx, starts_at)) >= partyLimits.running) throw refuse("tooManyParties");
    const party = {
      name,
      created_by: member.id,
      starts_at,
      ends_at: rules.findAutomaticEnd(starts_at, config.timeZone),
      guest_secret: createRandomToken(),
    };
    const partyId = await store.createParty(tx, party);
    await store.createStay(tx, partyId, member.id, fromStart);
    await publishCounterChange(tx, say);
    await say.event(partyStarted, { id: partyId, name, ...creator });
    await say.webhook({ event: "party", change: "started", name, userId: member.id });
    await say.push({
      kind: "party",
      about: String(partyId),
      senderId: member.id,
      body: isShown ? `${member.name} startet die Party „${name}“.` : `Die Party „${name}“ beginnt.`,
    });
    return { id: partyId };
  });
}

export async function renameParty(context: Context, member: Member, id: number, name: string): Promise<void> {
  await manageParty(context, member, id, "party-renamed", (tx) => store.updateParty(tx, id, { name }));
}

/** `withEarlier` affects only the first stay, because beers between two stays never count. */
export async function joinParty(context: Context, member: Member, id: number, withEarlier: boolean) {
  const { id: userId } = member;
  await changeRunning(context, member, id, async (tx, now, party) => {
    const stays = await store.listStays(tx, id, userId);
    if (stays.some(({ counts_until }) => counts_until === null)) return;
    const isFromEarlier = withEarlier && stays.length === 0;
    const from = isFromEarlier ? ((await findEarliest(tx, userId, party, now)) ?? fromStart) : now;
    await store.createStay(tx, id, userId, from);
  });
}

/**
 * Lets a member who taps at a tablet take part in the running party from this beer on. Does nothing if several parties
 * are running, or if the member has been there, e.g. has gone home.
 */
export async function joinByTap(context: Context, userId: number, at: number): Promise<void> {
  const { db, clock } = context;
  const [party, other] = await store.listRunning(db, clock.now());
  if (!party || other || at < party.starts_at) return;
  const hasBeenThere = async (tx: Db) => (await store.listStays(tx, party.id, userId)).length > 0;
  if (await hasBeenThere(db)) return;
  await change(context, userId, (tx, say) =>
    changeLocked(tx, say, party.id, async () => {
      if (!(await hasBeenThere(tx))) await store.createStay(tx, party.id, userId, at);
    }),
  );
}

/**
 * Returns the time before the party from which a member who joins now can include beers; `null` if only beers since the
 * start count.
 */
async function findEarliest(db: Db, userId: number, party: Pick<Party, "id" | "starts_at">, now: number) {
  const since = now - partyLimits.earlier;
  if (since >= party.starts_at) return null;
  return rules.findEarliestBeer(party, now, await store.listStaysElsewhere(db, userId, party.id, since));
}

export async function goHome(context: Context, member: Member, id: number): Promise<void> {
  await changeRunning(context, member, id, (tx, now) => store.endStay(tx, id, member.id, now));
}

export async function leaveParty(context: Context, member: Member, id: number): Promise<void> {
  await changeRunning(context, member, id, async (tx) => {
    await photoStore.deletePhoto(tx, id, member.id);
    await store.deleteStays(tx, id, member.id);
  });
}

export async function endParty(context: Context, member: Member, id: number): Promise<void> {
  await manageParty(context, member, id, "party-ended", async (tx, say, party) => {
    const now = context.clock.now();
    if (!rules.isRunning(party, now)) throw refuse("partyEnded");
    await store.updateParty(tx, id, { ends_at: now, is_ended_early: 1 });
    await guestStore.deleteNames(tx, now);
    await tellEnd(tx, say, party, member.id);
    await say.webhook({ event: "party", change: "ended", name: party.name, userId: member.id });
  });
}

export async function deleteParty(context: Context, member: Member, id: number): Promise<void> {
  await manageParty(context, member, id, "party-deleted", (tx) => store.deleteParty(tx, id));
}

/** Removes the guest's beers, too. Refuses anybody but the member who added the guest and managers of the party. */
export async function removeGuest(context: Context, member: Member, guestId: number): Promise<void> {
  const guest = await guestStore.findGuest(context.db, guestId);
  if (!guest) throw refuse("notFound");
  const remove = async (tx: Db, _: Say, party: Party) => {
    if (!rules.isRunning(party, context.clock.now())) throw refuse("partyEnded");
    await guestStore.deleteGuest(tx, guestId);
  };
  if (guest.added_by === member.id) await changeParty(context, member, guest.party_id, remove);
  else await manageParty(context, member, guest.party_id, "party-guest-removed", remove);
}

type Party = NonNullable<Awaited<ReturnType<typeof store.findParty>>>;
type PartyChange = (tx: Db, say: Say, party: Party) => Promise<void>;

/**
 * Changes a party on behalf of its creator or of an administrator, who must confirm as in the admin area and is
 * recorded in the audit log.
 */
export async function manageParty(
  context: Context,
  member: Member,
  id: number,
  action:
    | "party-renamed"
    | "party-ended"
    | "party-deleted"
    | "party-guest-removed"
    | "party-guest-answered"
    | "party-guest-link-switched"
    | "party-photos-switched",
  work: PartyChange,
): Promise<void> {
  const { db, clock, config } = context;
  const found = await findExistingParty(db, id);
  if (found.created_by === member.id) return changeParty(context, member, id, work);
  if (!rules.isManager(member, found)) throw refuse("forbidden");
  const at = clock.now();
  if (config.adminPasskey) checkRecentPasskey(member, at);
  if (action === "party-deleted") checkRecentPassword(member, at);
  await changeAsAdmin(context, member.id, (tx, say) =>
    changeLocked(tx, say, id, async (...party) => {
      await work(...party);
      await say.audit(action, { party: id }, party[2].created_by);
    }),
  );
}

/** Changes a party after other changes of parties have ended; pages that show parties then refetch them. */
export async function changeParty(context: Context, member: Member, id: number, work: PartyChange): Promise<void> {
  await change(context, member.id, (tx, say) => changeLocked(tx, say, id, work));
}

async function changeLocked(tx: Db, say: Say, id: number, work: PartyChange): Promise<void> {
  await beerStore.incrementVersion(tx);
  await work(tx, say, await findExistingParty(tx, id));
  await publishCounterChange(tx, say);
}

/** Refuses an unknown id with 404. */
export async function findExistingParty(db: Db, id: number): Promise<Party> {
  const party = await store.findParty(db, id);
  if (!party) throw refuse("notFound");
  return party;
}

async function changeRunning(
  context: Context,
  member: Member,
  id: number,
  work: (tx: Db, now: number, party: Party) => Promise<void>,
): Promise<void> {
  await changeParty(context, member, id, async (tx, _, party) => {
    const now = context.clock.now();
    if (!rules.isRunning(party, now)) throw refuse("partyEnded");
    await work(tx, now, party);
  });
}

/** Returns the data and permissions that this member may see. */
export async function findParty(
  { db, clock }: Pick<Context, "db" | "clock">,
  member: Member,
  id: number,
): Promise<ShownParty> {
  const party = await findExistingParty(db, id);
  const now = clock.now();
  const totals = await beerStore.findTotals(db, member.id);
  const data = await readParty(db, party);
  const own = await findOwnPart(db, member, data, totals, now);
  const { members, counts, byMember } = data;
  const users = members
    .filter((user) => isNamed(user, "parties"))
    .map(({ is_home, ...user }) => ({
      ...user,
      is_home: is_home === 1,
      beercounter_entries_count: byMember.get(user.id) ?? 0,
    }))
    .toSorted(compareDrinkers);
  const isTakingPart = own.is_member && rules.isRunning(party, now);
  const taps = isTakingPart ? await store.listTaps(db, party, partyLimits.taps) : [];
  const times = rules.summarizeTimes(counts);
  const names = new Map(users.map((user) => [user.id, user.name]));
  const recap = rules.isRunning(party, now) ? null : rules.summarizeRecap(counts, party.starts_at, names);
  const photos = own.is_member || own.is_home ? await photoStore.listPhotos(db, id) : [];
  return {
    ...toTimes(party, now, times.last_beer_at),
    id,
    name: party.name,
    ...own,
    by: isDeletedAccount(party) || isNamed(party, "partyStarters") ? party.creator : "",
    is_manager: rules.isManager(member, party),
    is_starter_former: isDeletedAccount(party),
    users,
    taps: taps.map((tap) => ({ ...tap, at: toIso(tap.at) })),
    others: members.length - users.length,
    ...(await findGuests(db, party, member, now, data.guestCounts)),
    is_open_to_guests: party.guest_secret !== null && rules.isRunning(party, now),
    ...times,
    recap: recap && { ...recap, round: await findRound(db, party, times.total, names) },
    photos: photos.map((photo) => toPhoto(photo, member.id)),
    is_photo_on: party.is_photo_on === 1,
    can_add_photo: (own.is_member || own.is_home) && isPhotoAddable(party, now),
    is_photo_time: isTakingPart && isPhotoTime(party, now),
  };
}

type PartyData = Awaited<ReturnType<typeof readParty>>;

/** Reads the data that is the same for all members. */
export async function readParty(db: Db, party: Pick<Party, "id" | "name" | "starts_at" | "ends_at">) {
  const members = await store.listMembers(db, party.id);
  const guestCounts = await guestStore.countBeers(db, party);
  const counts = [...(await store.countBeers(db, party)), ...guestCounts.map((count) => ({ ...count, user_id: null }))];
  return { party, members, counts, guestCounts, byMember: rules.countByMember(counts) };
}

/**
 * Returns the member's own data of a party. The totals must be read just before `data`, so that their version is not
 * newer.
 */
async function findOwnPart(
  db: Db,
  { id }: Member,
  { party, members, byMember }: PartyData,
  { totals, version }: VersionedTotals,
  now: number,
) {
  const own = members.find((member) => member.id === id);
  const isOver = !rules.isRunning(party, now);
  return {
    is_member: own !== undefined && (isOver || own.is_home === 0),
    is_home: own !== undefined && !isOver && own.is_home === 1,
    earlier: own === undefined && !isOver ? await countEarlier(db, id, party, now) : 0,
    own_total: byMember.get(id) ?? 0,
    user_counter: totals.own,
    counters_version: version,
  };
}

async function countEarlier(db: Db, userId: number, party: PartyData["party"], now: number): Promise<number> {
  const earliest = await findEarliest(db, userId, party, now);
  return store.countOwnBetween(db, userId, earliest ?? party.starts_at, party.ends_at);
}

/** Returns the member's own parties first, then the newest. */
export async function listRunningParties(
  { db, clock }: Pick<Context, "db" | "clock">,
  member: Member,
): Promise<RunningParty[]> {
  const now = clock.now();
  const running = await store.listRunning(db, now);
  if (running.length === 0) return [];
  const totals = await beerStore.findTotals(db, member.id);
  const shown: RunningParty[] = [];
  for (const party of running) {
    const data = await readParty(db, party);
    shown.push({ ...toRunningParty(data, now), ...(await findOwnPart(db, member, data, totals, now)) });
  }
  return shown.toSorted((one, other) => Number(other.is_member) - Number(one.is_member));
}

/** Reads the numbers of all running parties for an event about beers of these members, who must be in the ranking. */
export function createFindPartyNumbers(clock: Clock): Context["findPartyNumbers"] {
  return async (db, memberIds) => {
    const changed = new Set(memberIds);
    const numbers: PartyNumbers[] = [];
    for (const party of await store.listRunning(db, clock.now())) {
      const { members, counts, byMember } = await readParty(db, party);
      const { total, guest_total } = rules.summarizeTimes(counts);
      const totals = members
        .filter(({ id }) => changed.has(id))
        .map(({ id }) => [id, byMember.get(id) ?? 0] as [number, number]);
      numbers.push({ id: party.id, total, guest_total, totals });
    }
    return numbers;
  };
}

function toRunningParty({ party, members, counts }: PartyData, now: number) {
  const { total, guest_total } = rules.summarizeTimes(counts);
  const present = members.filter(({ is_home }) => is_home === 0);
  const named = present
    .filter((user) => isNamed(user, "parties"))
    .toSorted((one, other) => one.name.localeCompare(other.name, "de"));
  return {
    ...toTimes(party, now, null),
    id: party.id,
    name: party.name,
    total,
    guest_total,
    users: named.map(({ id, name, profile_picture }) => ({ id, name, profile_picture })),
    others: present.length - named.length,
  };
}

/** Returns running parties first; with `before`, only ended parties with smaller ids. */
export async function listParties(
  { db, clock }: Pick<Context, "db" | "clock">,
  member: Member,
  before: number | undefined,
): Promise<{ parties: ListedParty[]; has_more: boolean }> {
  const now = clock.now();
  const running = before === undefined ? await store.listRunningWithTotals(db, now) : [];
  const ended = await store.listEnded(db, now, before ?? maxId, pageSize + 1);
  const parties = [...running, ...ended.slice(0, pageSize)];
  return {
    parties: parties.map(({ member_total, ...party }) => ({
      ...party,
      asking_count: rules.isManager(member, party) ? party.asking_count : 0,
      ...toTimes(party, now, null),
      total: member_total + party.guest_total,
    })),
    has_more: ended.length > pageSize,
  };
}

/** A party that ended automatically gets the time of its last beer as its end. */
function toTimes(
  { starts_at, ends_at, is_ended_early = 1 }: Pick<Party, "starts_at" | "ends_at"> & Partial<Party>,
  now: number,
  lastBeerAt: string | null,
) {
  const is_running = rules.isRunning({ starts_at, ends_at }, now);
  const isRecapShorter = !is_running && is_ended_early === 0 && lastBeerAt !== null;
  return { starts_at: toIso(starts_at), ends_at: isRecapShorter ? lastBeerAt : toIso(ends_at), is_running };
}

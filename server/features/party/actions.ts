import { compareDrinkers } from "#contract/beercounter.ts";
import { partyStarted } from "#contract/party-events.ts";
import { type ListedParty, partyLimits, type ShownParty } from "#contract/party.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { maxId } from "#server/db/paginate.ts";
import { publishCounterChange } from "#server/features/beercounter/actions.ts";
import { incrementVersion } from "#server/features/beercounter/store.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { isDeletedAccount } from "#server/features/members/rules.ts";
import { createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { checkRecentPasskey, checkRecentPassword, type Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { hasExpired, toIso } from "#server/time.ts";
import { countByMember, summarizeTimes } from "./rules.ts";
import * as store from "./store.ts";

const pageSize = 20;

export async function startParty(context: Context, member: Member, name: string): Promise<{ id: number }> {
  const { db, clock, realtime } = context;
  const starts_at = clock.now();
  const id = await inTransaction(db, async (tx) => {
    // Also lets one party start after the other.
    await incrementVersion(tx);
    if ((await store.countRunning(tx, starts_at)) >= partyLimits.running) throw refuse("M422parties");
    const party = { name, created_by: member.id, starts_at, ends_at: starts_at + partyLimits.length };
    const partyId = await store.createParty(tx, party);
    await store.createMember(tx, partyId, member.id);
    return partyId;
  });
  await publishCounterChange(context);
  const { id: userId, name: userName, avatarId } = member;
  const creator = member.is_paused ? { userId: null, userName: null, avatarId: null } : { userId, userName, avatarId };
  realtime.publish(partyStarted.name, partyStarted.channel, { id, name, ...creator });
  return { id };
}

export async function renameParty(context: Context, member: Member, id: number, name: string): Promise<void> {
  await manageParty(context, member, id, "party-renamed", (tx) => store.updateParty(tx, id, { name }));
}

export async function joinParty(context: Context, member: Member, id: number): Promise<void> {
  await changeRunning(context, id, (tx) => store.createMember(tx, id, member.id));
}

export async function leaveParty(context: Context, member: Member, id: number): Promise<void> {
  await changeRunning(context, id, (tx) => store.deleteMember(tx, id, member.id));
}

export async function endParty(context: Context, member: Member, id: number): Promise<void> {
  await manageParty(context, member, id, "party-ended", async (tx, party) => {
    const now = context.clock.now();
    if (!isRunning(party, now)) throw refuse("M422party");
    await store.updateParty(tx, id, { ends_at: now });
  });
}

export async function deleteParty(context: Context, member: Member, id: number): Promise<void> {
  await manageParty(context, member, id, "party-deleted", (tx) => store.deleteParty(tx, id));
}

type Party = NonNullable<Awaited<ReturnType<typeof store.findParty>>>;

/**
 * Changes a party for the member who started it, or for an administrator, who needs what the admin area needs; that change is in the
 * audit log.
 */
async function manageParty(
  context: Context,
  member: Member,
  id: number,
  action: "party-renamed" | "party-ended" | "party-deleted",
  change: (tx: Db, party: Party) => Promise<void>,
): Promise<void> {
  const { db, clock, config } = context;
  const found = await findExistingParty(db, id);
  if (found.created_by === member.id) return changeParty(context, id, change);
  if (!isManager(member, found)) throw refuse("M403");
  const at = clock.now();
  if (config.adminPasskey) checkRecentPasskey(member, at);
  if (action === "party-deleted") checkRecentPassword(member, at);
  const changeAndRecord = async (tx: Db, party: Party) => {
    await change(tx, party);
    await createAuditEntry(tx, action, { party: id }, { at, by: member.id, memberId: party.created_by });
  };
  await changeParty(context, id, changeAndRecord, member);
}

/** Changes come one after the other; all pages that show parties load them again. */
async function changeParty(
  context: Context,
  id: number,
  change: (tx: Db, party: Party) => Promise<void>,
  administrator?: Member,
): Promise<void> {
  const work = async (tx: Db) => {
    await incrementVersion(tx);
    await change(tx, await findExistingParty(tx, id));
  };
  await (administrator ? inAdminChange(context.db, administrator.id, work) : inTransaction(context.db, work));
  await publishCounterChange(context);
}

/** 404 for an unknown party. */
async function findExistingParty(db: Db, id: number): Promise<Party> {
  const party = await store.findParty(db, id);
  if (!party) throw refuse("M404");
  return party;
}

async function changeRunning(context: Context, id: number, change: (tx: Db) => Promise<void>): Promise<void> {
  await changeParty(context, id, async (tx, party) => {
    if (!isRunning(party, context.clock.now())) throw refuse("M422party");
    await change(tx);
  });
}

/** One that was started while the clock was ahead is over. */
function isRunning({ ends_at }: Pick<Party, "ends_at">, now: number): boolean {
  return !hasExpired(ends_at, now, partyLimits.length);
}

/** Who started it, and administrators. */
function isManager({ id, permissions }: Member, { created_by }: Party): boolean {
  return id === created_by || permissions.includes("admin");
}

/** A party as this member sees it. */
export async function findParty({ db, clock }: Context, member: Member, id: number): Promise<ShownParty> {
  const party = await findExistingParty(db, id);
  const members = await store.listMembers(db, id);
  const counts = await store.countBeers(db, party);
  const byMember = countByMember(counts);
  const isNamed = isDeletedAccount(party) || (party.disabled_at === null && party.is_paused === 0);
  const users = members
    .filter(({ disabled_at, is_paused }) => disabled_at === null && is_paused === 0)
    .map((user) => ({ ...user, beercounter_entries_count: byMember.get(user.id) ?? 0 }))
    .toSorted(compareDrinkers);
  return {
    ...toTimes(party, clock.now()),
    id,
    name: party.name,
    by: isNamed ? party.creator : "",
    is_member: members.some((user) => user.id === member.id),
    is_manager: isManager(member, party),
    is_starter_former: isDeletedAccount(party),
    own_total: byMember.get(member.id) ?? 0,
    users,
    others: members.length - users.length,
    ...summarizeTimes(counts),
  };
}

/** The running parties and the first page of those that are over; with `before` the page below that id. */
export async function listParties(
  { db, clock }: Context,
  before: number | undefined,
): Promise<{ parties: ListedParty[]; has_more: boolean }> {
  const now = clock.now();
  const running = before === undefined ? await store.listRunning(db, now) : [];
  const ended = await store.listEnded(db, now, before ?? maxId, pageSize + 1);
  const parties = [...running, ...ended.slice(0, pageSize)];
  return { parties: parties.map((party) => ({ ...party, ...toTimes(party, now) })), has_more: ended.length > pageSize };
}

function toTimes({ starts_at, ends_at }: Pick<Party, "starts_at" | "ends_at">, now: number) {
  return { starts_at: toIso(starts_at), ends_at: toIso(ends_at), is_running: isRunning({ ends_at }, now) };
}

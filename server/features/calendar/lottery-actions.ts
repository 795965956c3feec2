import { randomBytes } from "node:crypto";

import type * as contract from "#contract/calendar-lottery.ts";
import { isShownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import { lockSession } from "#server/features/members/session-actions.ts";
import * as memberStore from "#server/features/members/store.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { localDay } from "#server/platform/local-day.ts";
import type { Say } from "#server/platform/say.ts";
import { toIso } from "#server/time.ts";
import { listFillableDoors } from "./actions.ts";
import { findIsSurprised } from "./admin-store.ts";
import { type DealingInputs, type DealtDoor, dealDoors } from "./lottery-rules.ts";
import * as rules from "./lottery-rules.ts";
import * as store from "./lottery-store.ts";
import { announceManagedCalendar, announceOwnDoors } from "./notice-actions.ts";
import { canFill, countDueReminders, findFreeDays, isCalendarDay, nextCalendarYear } from "./rules.ts";
import * as calendar from "./store.ts";

type ClockContext = Pick<Context, "clock" | "config">;

const readToday = ({ clock, config }: ClockContext): string => localDay(clock.now(), config.timeZone);

/** Deals the free doors at random; returns a sentence about the result. */
export async function dealFreeDoors(context: Context, year: number, by: Actor): Promise<{ message: string }> {
  const dealing = { year, today: readToday(context), at: context.clock.now() };
  return changeAsAdmin(context, by, async (tx, say) => {
    const dealt = await dealDoorsFreeOn(tx, say, dealing);
    await announceDealings(tx, say, context);
    return dealt;
  });
}

/** Deals the doors that are free on `today`. */
export async function dealDoorsFreeOn(
  tx: Db,
  say: Say,
  { year, today, at }: { year: number; today: string; at: number },
): Promise<{ message: string }> {
  await store.lockAssignments(tx, year);
  const inputs = await readInputs(tx, year, today, false);
  const seed = createSeed();
  const dealt = await assignDoors(tx, dealDoors(inputs, seed));
  if (dealt.length > 0) {
    await store.createDealing(tx, { ...toRow(year, seed, inputs), dealt_at: at, is_announced: 1 });
    await say.audit("calendar-doors-dealt", { year, doors: dealt.length, seed });
  }
  return describeResult(inputs, dealt);
}

function createSeed(): string {
  return randomBytes(16).toString("hex");
}

function toRow(year: number, seed: string, inputs: DealingInputs) {
  return { year, seed, inputs: JSON.stringify(inputs), reason: null } as const;
}

/** With `isLevelling`, members' empty doors may move to other members. */
async function readInputs(db: Db, year: number, today: string, isLevelling: boolean): Promise<DealingInputs> {
  const assignments = await calendar.listAssignments(db, year);
  const movable = assignments.filter(({ date, id }) => isLevelling && date > today && id === null);
  return {
    dates: findFreeDays(year, today, await calendar.listPictures(db, year, today), assignments),
    members: (await calendar.countDoorsByMember(db, year)).map(({ userId: id, doors }) => ({
      id,
      doors,
      movable: movable.filter(({ user_id }) => user_id === id).map(({ date }) => date),
    })),
  };
}

/** Records that no push and no page has told the new members yet. */
async function assignDoors(tx: Db, dealt: readonly DealtDoor[]): Promise<readonly DealtDoor[]> {
  await calendar.replaceAssignments(
    tx,
    dealt.map(({ date, to }) => ({ date, user_id: to, is_told: 0, is_seen: 0 })),
  );
  return dealt;
}

function describeResult({ members }: DealingInputs, dealt: readonly DealtDoor[]): { message: string } {
  const takers = new Set(dealt.map(({ to }) => to));
  const without = members.filter(({ id, doors }) => doors === 0 && !takers.has(id));
  return { message: rules.describeDealing(dealt.length, without.length) };
}

/**
 * Returns the same preview until the doors or the members change, without the doors for a surprised administrator.
 * Unlike dealFreeDoors(), also evens out the members' numbers of doors.
 */
export async function previewDealing(context: Context, year: number, by: number): Promise<contract.DealingPreview> {
  return changeAsAdmin(context, by, async (tx) => {
    const inputs = await readInputs(tx, year, readToday(context), true);
    const row = { ...toRow(year, createSeed(), inputs), dealt_at: null, is_announced: 1 };
    let preview = await store.findPreview(tx, { year });
    if (preview?.inputs !== row.inputs) {
      await store.deletePreviews(tx, year);
      preview = { ...row, id: await store.createDealing(tx, row) };
    }
    const dealt = dealDoors(inputs, preview.seed);
    if (await findIsSurprised(tx, by)) return { id: preview.id, count: dealt.length, doors: [] };
    const ids = new Set(dealt.flatMap(({ to, from }) => (from === null ? [to] : [to, from])));
    const people = new Map((await store.listPeople(tx, [...ids])).map((person) => [person.id, person]));
    return {
      id: preview.id,
      count: dealt.length,
      doors: dealt.map(({ date, to, from }) => ({
        date,
        to: people.get(to)!,
        from: from === null ? null : people.get(from)!,
      })),
    };
  });
}

/** Refuses if the doors or the members have changed since the preview. */
export async function applyDealing(context: Context, id: number, by: Actor): Promise<{ message: string }> {
  const at = context.clock.now();
  return changeAsAdmin(context, by, async (tx, say) => {
    const preview = await store.findPreview(tx, { id });
    if (!preview) throw refuse("dealingPreviewOutdated");
    const { year, seed } = preview;
    await store.lockAssignments(tx, year);
    const inputs = await readInputs(tx, year, readToday(context), true);
    if (JSON.stringify(inputs) !== preview.inputs) throw refuse("dealingPreviewOutdated");
    const dealt = await assignDoors(tx, dealDoors(inputs, seed));
    if (dealt.length > 0) {
      await store.updateDealtAt(tx, id, at);
      await say.audit("calendar-doors-redealt", { year, doors: dealt.length, seed });
    }
    const losers = dealt.flatMap(({ from }) => (from === null ? [] : [from]));
    for (const loser of new Set(losers)) await announceOwnDoors(say, loser);
    await announceDealings(tx, say, context);
    return describeResult(inputs, dealt);
  });
}

/** Includes the members without a door. */
export async function findDealings(context: Context, year: number): Promise<contract.CalendarDealings> {
  const { db } = context;
  const dealings = await store.listDealings(db, year);
  const isDealt = dealings.length > 0 || (await calendar.listAssignments(db, year)).length > 0;
  return {
    dealings: dealings.map(({ seed, inputs, reason, dealt_at }) => ({
      at: toIso(dealt_at!),
      seed,
      doors: dealDoors(JSON.parse(inputs) as DealingInputs, seed).length,
      left: reason === "left",
    })),
    without: isDealt ? await store.listMembersWithoutDoor(db, year) : [],
    changes: dealDoors(await readInputs(db, year, readToday(context), true), "").length,
  };
}

/**
 * Deals the empty doors of a leaving member to the others. Call lockAdmins(), this and announceDealings() in the
 * transaction that disables the account.
 */
export async function dealDoorsOfLeaver(
  tx: Db,
  say: Say,
  context: ClockContext,
  userId: number,
  at: number,
): Promise<void> {
  const today = readToday(context);
  const doors = await store.listEmptyDoorsOf(tx, userId, today);
  for (const [yearText, dates] of Map.groupBy(doors, (date) => date.slice(0, 4))) {
    const year = Number(yearText);
    await store.lockAssignments(tx, year);
    const inputs = { ...(await readInputs(tx, year, today, false)), dates };
    const seed = createSeed();
    // Frees the doors even if no other member can get them.
    await store.deleteAssignments(tx, dates);
    const dealt = await assignDoors(tx, dealDoors(inputs, seed));
    if (dealt.length === 0) continue;
    await store.createDealing(tx, { ...toRow(year, seed, inputs), reason: "left", dealt_at: at, is_announced: 0 });
    const details = { year, doors: dealt.length, seed };
    await say.audit("calendar-doors-redealt", details, userId);
  }
}

/** Shows newly dealt doors on open pages, and pushes them. Call this in the transaction of the dealing. */
export async function announceDealings(tx: Db, say: Say, context: ClockContext): Promise<void> {
  await announceManagedCalendar(say);
  const doors = await store.listUntoldDoors(tx, readToday(context));
  for (const userId of new Set(doors.map(({ user_id }) => user_id))) await announceOwnDoors(say, userId);
  await pushDealings(tx, say, context);
}

/** Tells members of doors dealt by the command line or during their quiet hours. */
export async function pushLateDealings(context: Context): Promise<void> {
  await change(context, null, (tx, say) => pushDealings(tx, say, context));
}

/** Pushes to members about their doors, and to administrators about automatic dealings. */
async function pushDealings(tx: Db, say: Say, context: ClockContext): Promise<void> {
  const today = readToday(context);
  const doors = await store.listUntoldDoors(tx, today);
  for (const [userId, drawn] of Map.groupBy(doors, ({ user_id }) => user_id)) {
    const dates = drawn.map(({ date }) => date);
    const told = dates.map((date) => ({ date, reminders: countDueReminders(date, today) }));
    await say.push({
      kind: "calendar",
      to: userId,
      senderId: null,
      about: "drawn",
      body: rules.describeDrawn(dates),
      claim: () => store.updateTold(tx, userId, told),
    });
  }
  for (const { id, seed, inputs } of await store.takeUnannouncedDealings(tx)) {
    const message = rules.describeRedealing(dealDoors(JSON.parse(inputs) as DealingInputs, seed).length);
    for (const admin of await memberStore.listAdminIds(tx)) await tell(say, admin, `dealing-${id}`, message);
  }
}

/** Notifies a member on open pages and by push. */
async function tell(say: Say, userId: number, about: string, message: string): Promise<void> {
  await announceOwnDoors(say, userId, message);
  await say.push({ kind: "calendar", to: userId, senderId: null, about, body: message });
}

export async function findOwnDoors(
  context: ClockContext & Pick<Context, "db">,
  userId: number,
): Promise<contract.OwnDoors> {
  const { db } = context;
  const today = readToday(context);
  const held = (await calendar.listOwnAssignments(db, userId)).filter(
    ({ date, id }) => date.slice(0, 4) <= String(nextCalendarYear(today)) && canFill(date, today, id !== null),
  );
  const swaps = held.length === 0 ? [] : await store.listOpenSwaps(db, userId, today);
  const asking = swaps.find(({ to_id }) => to_id === userId);
  const empty = held.filter(({ id }) => id === null).map(({ date }) => date);
  const isOpenable = isCalendarDay(today) && (await calendar.hasDoors(db, today.slice(0, 4)));
  const closed = isOpenable && !(await calendar.hasOpening(db, userId, today)) ? today : undefined;
  return {
    today,
    doors: await listFillableDoors(context, held, today),
    line: rules.describeNextTask({ closed, asking: asking?.from_name, empty }),
    is_line_reminder: closed === undefined && asking === undefined && empty.length > 0,
    drawn: held.filter(({ is_seen }) => is_seen === 0).map(({ date }) => date),
    reminders: held
      .filter(({ id, date, shown_reminders }) => id === null && countDueReminders(date, today) > shown_reminders)
      .map(({ date }) => date),
    offers: swaps
      .filter(({ to_id }) => to_id === userId)
      .map(({ id, date, from_id, from_name, from_avatar }) => ({
        id,
        date,
        by: { id: from_id, name: from_name, avatarId: from_avatar },
      })),
    own_offers: swaps
      .filter(({ from_id }) => from_id === userId)
      .map(({ id, date, to_id, to_name, to_avatar }) => ({
        id,
        date,
        to: { id: to_id, name: to_name, avatarId: to_avatar },
      })),
  };
}

/** Records that a page has shown the newly dealt doors and the due reminders. */
export async function markSeen(context: Context, userId: number): Promise<void> {
  const { db } = context;
  const { today, doors } = await findOwnDoors(context, userId);
  await store.updateSeen(db, userId);
  for (const { date } of doors)
    await calendar.updateReminders(db, { date, userId, reminders: countDueReminders(date, today) }, "shown_reminders");
}

export async function listSwapPartners(context: Context, userId: number): Promise<contract.SwapPartner[]> {
  return store.listSwapPartners(context.db, userId, readToday(context));
}

/** A hidden member can neither make nor receive an offer. */
export async function offerSwap(
  context: Context,
  member: Member,
  { date, member_id }: { date: string; member_id: number },
): Promise<{ message: string }> {
  const { db } = context;
  const today = readToday(context);
  const partner = (await store.listSwapPartners(db, member.id, today)).find(({ id }) => id === member_id);
  if (!partner) throw refuseField("member_id", "invalid");
  if (!isShownWith(member.visibility, "lottery")) throw refuse("swapWhileHidden");
  await change(context, member.id, async (tx, say) => {
    await lockSession(tx, member);
    await lockClosedDoor(tx, date, member.id, today);
    const picture_id = (await calendar.findPictureId(tx, date)) ?? null;
    const id = await store.createSwap(tx, { date, from_id: member.id, to_id: partner.id, picture_id });
    await tell(say, partner.id, `swap-${id}`, rules.describeOffer(member.name, date));
    await announceOwnDoors(say, member.id);
  });
  return { message: `${partner.name} ist gefragt.` };
}

async function lockClosedDoor(tx: Db, date: string, userId: number, today: string): Promise<void> {
  if (!(await calendar.lockAssignment(tx, date, userId))) throw refuse("notYourDoor");
  if (date <= today) throw refuse("doorDayBegun");
}

/** Swaps the doors with their pictures. */
export async function acceptSwap(
  context: Context,
  member: Member,
  id: number,
  date: string,
): Promise<{ message: string }> {
  const today = readToday(context);
  const offer = await change(context, member.id, async (tx, say) => {
    await lockSession(tx, member);
    await store.lockAssignments(tx, Number(date.slice(0, 4)));
    await lockClosedDoor(tx, date, member.id, today);
    const open = (await store.listOpenSwaps(tx, member.id, today)).find((swap) => swap.id === id);
    if (open?.to_id !== member.id || open.date.slice(0, 4) !== date.slice(0, 4)) throw refuse("swapEnded");
    await calendar.swapDoors(tx, open.date, date);
    const known = [open.date, date].map((day) => ({ date: day, reminders: countDueReminders(day, today) }));
    await store.settleSwapped(tx, known);
    await announceManagedCalendar(say);
    await tell(say, open.from_id, `swapped-${id}`, rules.describeSwapped(member.name, open.date, date));
    await announceOwnDoors(say, member.id);
    return open;
  });
  return { message: rules.describeSwapped(offer.from_name, date, offer.date) };
}

/** Withdraws the member's own offer, or declines another's, whose maker is told on open pages. */
export async function endSwap(context: Context, member: Member, id: number): Promise<{ message: string }> {
  const isOwn = await change(context, member.id, async (tx, say) => {
    const open = (await store.listOpenSwaps(tx, member.id, readToday(context))).find((swap) => swap.id === id);
    if (!open || !(await store.deleteSwap(tx, id))) throw refuse("swapEnded");
    const isOffer = open.from_id === member.id;
    const other = isOffer ? open.to_id : open.from_id;
    await announceOwnDoors(say, other, isOffer ? null : rules.describeDeclined(member.name, open.date));
    await announceOwnDoors(say, member.id);
    return isOffer;
  });
  return { message: isOwn ? "Das Angebot ist zurückgezogen." : "Alles bleibt, wie es ist." };
}

import { type AttendedParty, type MemberPage, memberPageLimits } from "#contract/member-page.ts";
import { isShownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { shownCalendarYear } from "#server/features/calendar/rules.ts";
import * as calendarStore from "#server/features/calendar/store.ts";
import * as memberStore from "#server/features/members/store.ts";
import { isRunning } from "#server/features/parties/rules.ts";
import { countByMember } from "#server/features/parties/rules.ts";
import * as partyStore from "#server/features/parties/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { localDay } from "#server/platform/local-day.ts";
import { toIso } from "#server/time.ts";
import { countBeers, findRoundBeers } from "./member-rules.ts";
import * as store from "./member-store.ts";

/** Refuses with a 404 after the same query, so that hidden and unknown members look alike. */
export async function findMemberPage(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  viewer: Member,
  id: number,
): Promise<MemberPage> {
  const user = await memberStore.findUserById(db, id);
  if (!user || user.disabled_at !== null) throw refuse("notFound");
  const isOwn = id === viewer.id;
  if (!isOwn && !isShownWith(user.visibility, "memberPage")) throw refuse("notFound");
  const now = clock.now();
  const today = localDay(now, config.timeZone);
  const days = await store.listDays(db, id);
  const year = shownCalendarYear(today);
  return {
    id,
    name: user.name,
    profile_picture: user.avatar_id,
    today,
    beers: countBeers(days, today),
    round_beers: findRoundBeers(days),
    parties: await listAttendedParties(db, id, now),
    party_count: await store.countParties(db, id),
    calendar: isOwn
      ? await findOwnCalendar(db, id, year, today)
      : { year, doors: await listShownDoors(db, viewer.id, user, year, today), opened: null },
  };
}

async function listAttendedParties(db: Db, userId: number, now: number): Promise<AttendedParty[]> {
  const parties = await store.listParties(db, userId, memberPageLimits.parties);
  const attended: AttendedParty[] = [];
  for (const party of parties) {
    const byMember = countByMember(await partyStore.countBeers(db, party));
    const { id, name, starts_at } = party;
    const own_total = byMember.get(userId) ?? 0;
    attended.push({ id, name, starts_at: toIso(starts_at), is_running: isRunning(party, now), own_total });
  }
  return attended;
}

async function findOwnCalendar(db: Db, id: number, year: number, today: string): Promise<MemberPage["calendar"]> {
  const isOfYear = ({ date }: { date: string }): boolean => date.startsWith(`${year}-`);
  const doors = await calendarStore.listOwnAssignments(db, id);
  const openings = await calendarStore.listOwnOpenings(db, id, today);
  return {
    year,
    doors: doors.filter(isOfYear).map((door) => ({ date: door.date, is_filled: door.id !== null })),
    opened: openings.filter(isOfYear).length,
  };
}

/** Returns only doors that the viewer has opened and whose pictures name the member. */
async function listShownDoors(
  db: Db,
  viewerId: number,
  owner: { readonly id: number; readonly name: string },
  year: number,
  today: string,
): Promise<MemberPage["calendar"]["doors"]> {
  const assignments = await calendarStore.listAssignments(db, year);
  const dates = new Set(
    assignments.filter(({ user_id, id }) => user_id === owner.id && id !== null).map(({ date }) => date),
  );
  const doors = await calendarStore.listDoors(db, viewerId, `${year}-%`, today);
  return doors
    .filter(({ date, isOpen, by }) => isOpen && date <= today && by === owner.name && dates.has(date))
    .map(({ date }) => ({ date, is_filled: true }));
}

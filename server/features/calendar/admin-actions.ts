import type { ManagedCalendar, moveCalendarPicture } from "#contract/calendar-doors.ts";
import { dayNumber } from "#contract/christmas-calendar.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import type { Change } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { localDay } from "#server/platform/local-day.ts";
import type { Say } from "#server/platform/say.ts";
import { createPictureId, type EncodedPicture } from "./actions.ts";
import { doorVersion, isSurprise } from "./admin-rules.ts";
import * as store from "./admin-store.ts";
import { announceManagedCalendar, announceOpenDoors, announceOwnDoors, createNotice } from "./notice-actions.ts";
import type { Notice } from "./notice-rules.ts";
import * as removals from "./removal-store.ts";
import { previewUrl, restorableMs } from "./rules.ts";
import * as calendar from "./store.ts";

/** `doorVersion` that the page knew when it sent the request. */
export interface DoorClaim {
  readonly version?: string | undefined;
}

interface HangClaim extends DoorClaim {
  /** Owner whose door is taken over; missing if the administrator confirmed no take-over. */
  readonly takes_over?: number | undefined;
}

/** Returns the picture's id. Members who opened the door before see the new picture. */
export async function hangPicture(
  context: Context,
  date: string,
  picture: EncodedPicture,
  { version, takes_over: takenFrom }: HangClaim,
  change: Change,
): Promise<string> {
  const id = createPictureId();
  await changeDoors(context, [date], change, async (tx, say, tell) => {
    const door = await store.lockDoor(tx, date);
    const isTaken = door.ownerId !== null && door.ownerId !== change.by;
    if (isTaken && takenFrom === undefined) throw refuse("doorOwned", { door: dayNumber(date) });
    if (version === undefined && door.pictureId !== null) throw refuse("doorFilled", { door: dayNumber(date) });
    if (version !== undefined || takenFrom !== undefined) checkVersion(door, date, version);
    if (takenFrom !== undefined && takenFrom !== door.ownerId) throw refuse("doorChanged", { door: dayNumber(date) });
    if (isTaken) {
      await calendar.deleteAssignment(tx, date);
      await say.audit("calendar-door-taken-over", { date }, door.ownerId);
      await tell(door.ownerId, { kind: "taken-over", date });
    } else await say.audit("calendar-picture-hung", { date });
    await calendar.replacePicture(tx, { date, id, ...picture });
  });
  return id;
}

/** Swaps the pictures and the owners of the two doors. */
export async function movePicture(
  context: Context,
  date: string,
  { to, version, to_version }: BodyOf<typeof moveCalendarPicture>,
  change: Change,
): Promise<void> {
  if (date === to) return;
  await changeDoors(context, [date, to], change, async (tx, say, tell) => {
    // Locks in order of date, so that two opposite moves cannot deadlock.
    const doors = new Map<string, store.ManagedDoor>();
    for (const day of [date, to].toSorted()) doors.set(day, await store.lockDoor(tx, day));
    const [from, target] = [doors.get(date)!, doors.get(to)!];
    if (from.pictureId === null) throw refuse("notFound");
    checkVersion(from, date, version);
    checkVersion(target, to, to_version);
    await calendar.swapDoors(tx, date, to);
    await say.audit("calendar-picture-moved", { date, to });
    await tell(from.ownerId, { kind: "moved", date, movedTo: to });
    await tell(target.ownerId, { kind: "moved", date: to, movedTo: date });
  });
}

/** Administrators can restore the picture for a day. */
export async function takePictureDown(context: Context, date: string, claim: DoorClaim, change: Change): Promise<void> {
  await changeDoors(context, [date], change, async (tx, say, tell) => {
    const door = await store.lockDoor(tx, date);
    if (door.pictureId === null) throw refuse("notFound");
    checkVersion(door, date, claim.version);
    await removals.removePicture(tx, date, { isByOwner: false }, change.at);
    await say.audit("calendar-picture-removed", { date }, door.ownerId);
    await tell(door.ownerId, { kind: "picture-removed", date });
  });
}

/** Refuses if the door is filled or has another owner. */
export async function restorePicture(context: Context, date: string, change: Change): Promise<void> {
  await changeDoors(context, [date], change, async (tx, say, tell) => {
    const door = await store.lockDoor(tx, date);
    if (door.pictureId !== null) throw refuse("doorFilled", { door: dayNumber(date) });
    const removed = await removals.findRemoved(tx, date, { isByOwner: false }, change.at - restorableMs);
    if (!removed || removed.owner_id !== door.ownerId) throw refuse("pictureGone");
    await removals.restorePicture(tx, removed.id);
    await say.audit("calendar-picture-restored", { date }, door.ownerId);
    await tell(door.ownerId, { kind: "picture-restored", date });
  });
}

/** Keeps the picture, without the member's name and text. */
export async function takeDoorBack(context: Context, date: string, claim: DoorClaim, change: Change): Promise<void> {
  await changeDoors(context, [date], change, async (tx, say, tell) => {
    const door = await store.lockDoor(tx, date);
    if (door.ownerId === null) throw refuse("notFound");
    checkVersion(door, date, claim.version);
    await calendar.deleteAssignment(tx, date);
    await say.audit("calendar-door-taken-back", { date }, door.ownerId);
    await tell(door.ownerId, { kind: door.pictureId === null ? "taken-back" : "taken-back-with-picture", date });
  });
}

/** Reveals a member's picture to an administrator before its day; the owner is told. */
export async function revealPicture(
  context: Context,
  { id: userId }: Member,
  date: string,
  { version }: { readonly version: string },
): Promise<{ preview: string }> {
  const change = { by: userId, at: context.clock.now() };
  const today = localDay(change.at, context.config.timeZone);
  return changeDoors(context, [date], change, async (tx, say, tell) => {
    const door = await store.lockDoor(tx, date);
    const { ownerId, pictureId } = door;
    if (pictureId === null) throw refuse("notFound");
    checkVersion(door, date, version);
    const preview = previewUrl(pictureId);
    if (!isSurprise({ date, ownerId }, { userId, today, hasRevealed: false })) return { preview };
    if (!(await store.createReveal(tx, pictureId, userId, change.at))) return { preview };
    await say.audit("calendar-picture-viewed", { date }, ownerId);
    await tell(ownerId, { kind: "picture-viewed", date });
    return { preview };
  });
}

/** Returns `undefined` if this administrator must not see the picture yet. */
export async function findPreview(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  { id: userId }: Member,
  pictureId: string,
): Promise<StoredFile | undefined> {
  const door = await store.findDoorOf(db, pictureId);
  const hasRevealed = (await store.listRevealed(db, userId)).has(pictureId);
  const today = localDay(clock.now(), config.timeZone);
  if (!door || isSurprise(door, { userId, today, hasRevealed })) return undefined;
  return calendar.findPhonePicture(db, pictureId);
}

type ManagedDay = ManagedCalendar["days"][number];
type DayDetails = Omit<ManagedDay, "date" | "opened">;

/**
 * Hides another member's picture until its day or until the administrator reveals it, and the member from a surprised
 * administrator.
 */
export async function findDayDetails(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  { id: userId }: Member,
  year: number,
  isSurprised: boolean,
): Promise<(date: string) => DayDetails> {
  const now = clock.now();
  const today = localDay(now, config.timeZone);
  const pictures = new Map((await calendar.listPictures(db, year, today)).map(({ date, id }) => [date, id]));
  const assignments = new Map((await calendar.listAssignments(db, year)).map((one) => [one.date, one]));
  const restorable = new Set(await removals.listRestorable(db, year, { isByOwner: false }, now - restorableMs));
  const revealed = await store.listRevealed(db, userId);
  return (date) => {
    const pictureId = pictures.get(date) ?? null;
    const assignment = assignments.get(date);
    const ownerId = assignment?.user_id ?? null;
    const hasRevealed = pictureId !== null && revealed.has(pictureId);
    const isShown = pictureId !== null && !isSurprise({ date, ownerId }, { userId, today, hasRevealed });
    const is_secret = isSurprised && ownerId !== null && ownerId !== userId && date > today;
    return {
      version: doorVersion({ ownerId, pictureId }),
      is_filled: pictureId !== null,
      preview: isShown ? previewUrl(pictureId) : null,
      text: isShown ? (assignment?.text ?? null) : null,
      can_restore: restorable.has(date),
      owner:
        assignment && !is_secret
          ? { id: assignment.user_id, name: assignment.name, avatarId: assignment.avatar_id }
          : null,
      is_secret,
    };
  };
}

export async function saveSurprise(context: Context, userId: number, isSurprised: boolean): Promise<void> {
  await changeAsAdmin(context, userId, async (tx, say) => {
    await store.updateIsSurprised(tx, userId, isSurprised);
    await say.audit("calendar-surprise-switched", { isOn: isSurprised });
  });
}

/** Refuses a missing or stale version, because the page shows an outdated door. */
function checkVersion(door: store.ManagedDoor, date: string, version: string | undefined): void {
  if (version !== doorVersion(door)) throw refuse("doorChanged", { door: dayNumber(date) });
}

type Tell = (ownerId: number | null, notice: Notice) => Promise<void>;

/** Notifies the owners of these doors and all open pages. */
async function changeDoors<Result>(
  context: Context,
  dates: readonly string[],
  { by, at }: Change,
  work: (tx: Db, say: Say, tell: Tell) => Promise<Result>,
): Promise<Result> {
  const { clock, config } = context;
  return changeAsAdmin(context, by, async (tx, say) => {
    const changed = await work(tx, say, async (ownerId, notice) => {
      // An owner who made the change needs no notice.
      if (ownerId !== null && ownerId !== by) await createNotice(tx, say, ownerId, notice, at);
    });
    await announceManagedCalendar(say);
    const today = localDay(clock.now(), config.timeZone);
    if (dates.some((date) => date <= today)) await announceOpenDoors(say);
    if (by !== null) await announceOwnDoors(say, by);
    return changed;
  });
}

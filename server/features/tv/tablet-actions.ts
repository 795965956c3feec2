import type { BeerKind } from "#contract/beercounter.ts";
import type { Face, TabletScreen } from "#contract/tablet.ts";
import { isShownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { createTapBooking, undoBeer } from "#server/features/beers/actions.ts";
import * as faceStore from "#server/features/beers/face-store.ts";
import { sortFaces, startOfEvening } from "#server/features/beers/rules.ts";
import * as beerStore from "#server/features/beers/store.ts";
import * as memberStore from "#server/features/members/store.ts";
import { joinByTap } from "#server/features/parties/actions.ts";
import * as guestActions from "#server/features/parties/guest-actions.ts";
import * as guestStore from "#server/features/parties/guest-store.ts";
import * as partyStore from "#server/features/parties/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { checkCount, createRateLimiter, type Limit } from "#server/platform/limits/limits.ts";
import * as limitsStore from "#server/platform/limits/store.ts";
import { verifyPassword } from "#server/platform/security/passwords.ts";
import * as rules from "./tablet-rules.ts";

export interface Tablet {
  readonly id: number;
  readonly name: string;
}

export async function findTabletScreen(
  { db, group, clock, config }: Pick<Context, "db" | "group" | "clock" | "config">,
  { name }: Tablet,
): Promise<TabletScreen> {
  const { group_name, group_short } = await group.settings();
  const { total } = await beerStore.findGroupTotal(db);
  const now = clock.now();
  const parties = await partyStore.listRunningWithTotals(db, now);
  return {
    name,
    group_name,
    group_short,
    total,
    parties: parties.map((party) => ({
      id: party.id,
      name: party.name,
      total: party.member_total + party.guest_total,
    })),
    faces: await listFaces(db, parties, startOfEvening(now, config.timeZone)),
  };
}

/** Lists the guests after the members of tonight. */
async function listFaces(db: Db, parties: readonly { readonly id: number }[], since: number): Promise<Face[]> {
  const present = new Set<number>();
  const guests: Face[] = [];
  for (const { id: partyId } of parties) {
    for (const { id, is_home } of await partyStore.listMembers(db, partyId)) if (is_home === 0) present.add(id);
    for (const { id, name } of await guestStore.listGuests(db, partyId))
      if (name !== null) guests.push({ id: `guest-${id}`, name, avatarId: null, has_pin: false });
  }
  const members = sortFaces(await faceStore.listFaces(db, "is_on_tablets", since), present);
  const last = members.findLastIndex(
    ({ id, tonight, visibility }) => isShownWith(visibility, "ranking") && (tonight > 0 || present.has(id)),
  );
  const faces = members.map(({ id, name, avatarId, pin_hash }): Face => ({
    id: `member-${id}`,
    name,
    avatarId,
    has_pin: pin_hash !== null,
  }));
  return faces.toSpliced(last + 1, 0, ...guests);
}

interface TabletTap {
  readonly key: string;
  readonly age: number;
  readonly kind: BeerKind;
  readonly pin?: string | undefined;
}

export type DrinkAtTablet = (tablet: Tablet, face: string, tap: TabletTap) => Promise<void>;

export function createTabletBooking(context: Context): DrinkAtTablet {
  const { db, clock, config, http } = context;
  const book = createTapBooking(context);
  const limit = (rate: Limit) =>
    createRateLimiter(rate, { factor: config.rateLimitFactor, clock, countInstances: http.countInstances });
  const perTablet = limit(rules.tapLimits.tablet);
  const perFace = [limit(rules.tapLimits.face), limit(rules.tapLimits.faceDaily)];

  return async (tablet, face, { key, age, kind, pin }) => {
    checkCount(perTablet.count([String(tablet.id)]));
    for (const limiter of perFace) checkCount(limiter.count([`${tablet.id} ${face}`]));
    const { kind: faceKind, id } = rules.parseFaceId(face);
    if (faceKind === "guest")
      return void (await guestActions.drinkBeer(context, guestActions.countedAtTablet(id), { key, age }));
    const found = await faceStore.findFace(db, "is_on_tablets", id);
    const user = found && (await memberStore.findUserById(db, id));
    if (!found || !user) throw refuse("faceGone");
    if (found.pin_hash !== null) await checkPin(context, tablet, id, found.pin_hash, pin);
    await joinByTap(context, id, clock.now() - age);
    await book(memberStore.toUser(user), key, age, kind, { by_user_id: null, by_tablet: tablet.name });
  };
}

/** Few guesses reach a tablet at the same time, because each counts before its verification. */
const maxWaitingVerifications = 64;

async function checkPin(context: Context, tablet: Tablet, userId: number, hash: string, pin?: string): Promise<void> {
  if (pin === undefined) throw refuseField("pin", "required");
  const { db } = context;
  // Contains the hash, so that the member can end a pause with a new PIN.
  const face = `pin:${sha256(`${userId} ${hash}`)}`;
  const keys = rules.pinLimits.map((_, index) => `${face}:${tablet.id}:${index}`);
  const count = async (limit: Limit, key: string): Promise<void> =>
    checkCount(await limitsStore.countAttempt(context, limit, [key]), ["pin", "tooManyWrongPins"]);
  for (const [index, limit] of rules.pinLimits.entries()) await count(limit, keys[index]!);
  await count(rules.pinLimitEverywhere, face);
  if (!(await verifyPassword(hash, pin, maxWaitingVerifications))) throw refuseField("pin", "wrongPin");
  for (const key of keys) await limitsStore.deleteAttempts(db, key);
  await limitsStore.uncountAttempt(db, face);
}

/** `age` is the milliseconds since the undo was tapped. */
export async function undoAtTablet(
  context: Context,
  tablet: Tablet,
  face: string,
  { key, age }: { readonly key: string; readonly age: number },
): Promise<void> {
  const { kind, id } = rules.parseFaceId(face);
  const checkTime = (beer: { readonly at: number }, now: number): void => {
    if (!rules.isUndoInTime(beer, now, age)) throw refuse("undoTooLateAtTablet");
  };
  if (kind === "guest") await guestActions.undoBeer(context, guestActions.countedAtTablet(id), key, checkTime);
  else
    await undoBeer(context, id, { key }, (beer, now) => {
      if (beer.by_tablet !== tablet.name) throw refuse("forbidden");
      checkTime(beer, now);
    });
}

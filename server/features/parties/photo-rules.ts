import type { PartyPhoto } from "#contract/party-photos.ts";
import type { Visibility } from "#contract/visibility.ts";
import { isNamed } from "#server/features/members/rules.ts";
import { days, minutes } from "#server/time.ts";
import { isRunning, quarterLength } from "./rules.ts";

/** Time for which a call for photos is pushed and shown. */
export const photoCallLength = minutes(10);

const fewestPeople = 2;
const fewestBeers = 4;
const earliest = minutes(90);
const quartersPerHour = 4;

/**
 * Returns `true` in the busiest hour so far: this quarter of an hour and the three before it have at least as many
 * beers as any four before. `counts` may have several entries per quarter; `people`: members who are there.
 */
export function isBusiestHour(
  { starts_at }: { readonly starts_at: number },
  counts: readonly { readonly quarter: number; readonly count: number }[],
  people: number,
  now: number,
): boolean {
  const current = Math.floor(now / quarterLength);
  const hourUntil = (last: number): number =>
    counts.reduce(
      (sum, { quarter, count }) => (quarter > last - quartersPerHour && quarter <= last ? sum + count : sum),
      0,
    );
  const lastHour = hourUntil(current);
  return (
    people >= fewestPeople &&
    now >= starts_at + earliest &&
    lastHour >= fewestBeers &&
    counts.every(({ quarter }) =>
      Array.from({ length: quartersPerHour }, (_, later) => Math.min(current, quarter + later)).every(
        (last) => hourUntil(last) <= lastHour,
      ),
    )
  );
}

const addableFor = days(1);

/** Those who were there may put up a photo until a day after the end. */
export function isPhotoAddable(
  { is_photo_on, ends_at }: { readonly is_photo_on: number; readonly ends_at: number },
  now: number,
): boolean {
  return is_photo_on === 1 && now < ends_at + addableFor;
}

/** `photo_asked_at` is `null` before the call. */
export function isPhotoTime(
  party: { readonly starts_at: number; readonly ends_at: number; readonly photo_asked_at: number | null },
  now: number,
): boolean {
  return isRunning(party, now) && (party.photo_asked_at ?? 0) > now - photoCallLength;
}

interface StoredPhoto {
  readonly id: string;
  readonly user_id: number;
  readonly name: string;
  readonly is_in_review: number;
  readonly disabled_at: number | null;
  readonly visibility: Visibility;
}

export function toPhoto(photo: StoredPhoto, viewerId: number): PartyPhoto {
  const is_own = photo.user_id === viewerId;
  return {
    id: photo.id,
    by: is_own || isNamed(photo, "parties") ? photo.name : null,
    is_own,
    is_in_review: is_own && photo.is_in_review === 1,
  };
}

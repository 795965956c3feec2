import { photoUrl } from "#contract/party-photos.ts";
import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import * as guestStore from "./guest-store.ts";
import * as photoStore from "./photo-store.ts";
import * as store from "./store.ts";

export const accountExport: AccountExport = async ({ db, config }, { id }) => {
  const byParty = Map.groupBy(await store.listOwnParties(db, id), (stay) => stay.id);
  return {
    parties: [...byParty.values()].map((stays) => {
      const { name, starts_at, ends_at, created_by } = stays[0]!;
      const own = stays.filter(({ user_id }) => user_id !== null);
      return {
        name,
        starts_at: toIso(starts_at),
        ends_at: toIso(ends_at),
        started: created_by === id,
        joined: own.length > 0,
        stays: own.map(({ counts_from, counts_until }) => ({
          from: toIso(counts_from || starts_at),
          until: toIso(Math.min(ends_at, counts_until ?? ends_at)),
        })),
      };
    }),
    party_photos: (await photoStore.listOwnPhotos(db, id)).map((photo) => ({
      party: photo.party,
      put_up_at: toIso(photo.created_at),
      picture: new URL(photoUrl(photo.id, "screen"), config.appUrl).href,
      is_in_review: photo.is_in_review === 1,
    })),
    party_guests: await guestStore.listOwnGuests(db, id),
  };
};

import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import * as store from "./store.ts";

export const accountExport: AccountExport = async ({ db, config }, member) => {
  const { id, uname, name, email, permissions, avatarId, visibility = "visible" } = member;
  const { created_at, last_login_at, invitation_id, sees_door_owners, news_seen, ...tapping } =
    await store.findMembership(db, id);
  const pictures = await store.listOwnPictures(db, id);
  return {
    profile: {
      id,
      uname,
      name,
      email,
      permissions,
      avatar: avatarId,
      visibility,
      sees_door_owners: sees_door_owners === 1,
      is_on_tablets: tapping.is_on_tablets === 1,
      is_tappable: tapping.is_tappable === 1,
      has_pin: tapping.pin_hash !== null,
      news_seen,
      member_since: toIso(created_at),
      last_login_at: toIso(last_login_at),
      invitation: invitation_id,
    },
    pictures: pictures.map((picture) => ({
      id: picture.id,
      url: new URL(`/internal/images/avatar/${picture.id}`, config.appUrl).href,
      uploaded_at: toIso(picture.created_at),
    })),
  };
};

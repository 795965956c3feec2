import type * as contract from "#contract/party-photos.ts";
import type { Db } from "#server/db/connect.ts";
import { createPictureId, receivePicture } from "#server/features/calendar/actions.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { ReceiveUpload } from "#server/platform/http/upload.ts";
import { changeParty, manageParty } from "./actions.ts";
import * as guestStore from "./guest-store.ts";
import * as rules from "./photo-rules.ts";
import * as photoStore from "./photo-store.ts";
import * as store from "./store.ts";
import { tellMembers } from "./story-actions.ts";

export async function putUpPhoto(
  context: Context,
  member: Member,
  id: number,
  receive: ReceiveUpload<typeof contract.putUpPhoto>,
): Promise<void> {
  const { db, clock } = context;
  const check = async (tx: Db): Promise<void> => {
    const party = await store.findParty(tx, id);
    if (!party || (await store.listStays(tx, id, member.id)).length === 0) throw refuse("forbidden");
    if (!rules.isPhotoAddable(party, clock.now())) throw refuse("forbidden");
  };
  const { picture } = await receivePicture(receive, () => check(db));
  await changeParty(context, member, id, async (tx) => {
    await check(tx);
    await photoStore.replacePhoto(tx, {
      id: createPictureId(),
      party_id: id,
      user_id: member.id,
      ...picture,
      created_at: clock.now(),
    });
  });
}

export async function takeDownPhoto(context: Context, member: Member, id: number): Promise<void> {
  await changeParty(context, member, id, async (tx) => {
    if (!(await photoStore.deletePhoto(tx, id, member.id))) throw refuse("notFound");
  });
}

export async function choosePhotoForReview(
  context: Context,
  member: Member,
  id: number,
  isInReview: boolean,
): Promise<void> {
  await changeParty(context, member, id, async (tx) => {
    if (!(await photoStore.updateInReview(tx, id, member.id, isInReview ? 1 : 0))) throw refuse("notFound");
  });
}

export async function switchPhotos(context: Context, member: Member, id: number, isOn: boolean): Promise<void> {
  await manageParty(context, member, id, "party-photos-switched", (tx) =>
    store.updateParty(tx, id, { is_photo_on: isOn ? 1 : 0 }),
  );
}

/** Asks those who are at a party once, in its busiest hour. */
export async function askForPhotos(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  for (const party of await store.listUnasked(db, now)) {
    const counts = [...(await store.countBeers(db, party)), ...(await guestStore.countBeers(db, party))];
    const people = (await store.listMembers(db, party.id)).filter(
      ({ is_home, disabled_at }) => is_home === 0 && disabled_at === null,
    );
    if (!rules.isBusiestHour(party, counts, people.length, now)) continue;
    await change(context, null, async (tx, say) => {
      if (!(await store.claimPhotoCall(tx, party.id, now))) return;
      await tellMembers(say, party, "photo", people);
    });
  }
}

import * as contract from "#contract/party-photos.ts";
import { seeStory } from "#contract/party.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendPicture } from "#server/platform/http/ranges.ts";
import * as actions from "./photo-actions.ts";
import * as store from "./photo-store.ts";
import * as stories from "./story-actions.ts";

export function addPhotoRoutes(context: Context): void {
  const { http, db } = context;

  handle(http, contract.putUpPhoto, ({ member, params, receiveUpload }) =>
    actions.putUpPhoto(context, member, params.id, receiveUpload),
  );
  handle(http, contract.takeDownPhoto, ({ member, params }) => actions.takeDownPhoto(context, member, params.id));
  handle(http, contract.choosePhotoForReview, ({ member, params, body }) =>
    actions.choosePhotoForReview(context, member, params.id, body.is_in_review),
  );
  handle(http, contract.switchPhotos, ({ member, params, body }) =>
    actions.switchPhotos(context, member, params.id, body.is_on),
  );
  handle(http, contract.getPartyPhoto, async ({ member, params, query, request, reply }) => {
    const file = await store.findPhoto(db, params.id, member.id, query.size ?? "screen");
    return sendPicture(request, reply, file, "foto.webp");
  });
  handle(http, seeStory, ({ member, params }) => stories.seeStory(context, member, params.id));
}

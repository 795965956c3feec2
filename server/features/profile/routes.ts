import { confirmPassword } from "#contract/confirm-password.ts";
import * as contract from "#contract/profile.ts";
import { listPictures } from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sourceOf } from "#server/platform/http/request-log.ts";
import * as actions from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http, db } = context;
  const { readDevice, setSession, clearSession } = http.cookies;

  handle(http, contract.updateProfile, async ({ member, body, request }) => ({
    data: await actions.updateProfile(context, member, body, sourceOf(request)),
  }));
  handle(http, contract.changePassword, async ({ member, body, request, reply }) => {
    const device = readDevice(request.headers.cookie);
    setSession(reply, await actions.changePassword(context, member, body, device, sourceOf(request)));
  });
  handle(http, confirmPassword, async ({ member, body, request, reply }) =>
    setSession(reply, await actions.confirmPassword(context, member, body.password, sourceOf(request))),
  );

  handle(http, contract.getDevices, ({ member }) => actions.listDevices(context, member));
  handle(http, contract.endDevice, async ({ member, params, reply }) => {
    await actions.endDevice(context, member, params.id);
    if (params.id === member.sessionId) clearSession(reply);
  });
  handle(http, contract.endOtherDevices, ({ member, request }) =>
    actions.endOtherDevices(context, member, readDevice(request.headers.cookie)),
  );

  handle(http, contract.uploadPicture, async ({ member, receiveUpload }) => ({
    id: await actions.createPicture(context, member, receiveUpload),
  }));
  handle(http, contract.getPictures, ({ member }) => listPictures(db, member.id));
  handle(http, contract.choosePicture, ({ member, body }) => actions.choosePicture(context, member, body.id));
  handle(http, contract.deletePicture, ({ member, params }) => actions.deleteOwnPicture(context, member, params.id));
}

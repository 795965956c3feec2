import * as contract from "#contract/profile.ts";
import { listPictures } from "#server/features/members/store.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Context } from "#server/platform/context.ts";
import {
  createPicture,
  changePassword,
  choosePicture,
  confirmPassword,
  endDevice,
  endOtherDevices,
  listDevices,
  deleteOwnPicture,
  updateProfile,
} from "./actions.ts";

export function addProfileRoutes(context: Context): void {
  const { http, db } = context;

  handle(http, contract.updateProfile, async ({ member, body }) => ({
    data: await updateProfile(context, member, body),
  }));

  handle(http, contract.changePassword, async ({ member, body, request, reply }) => {
    const device = http.cookies.readDevice(request.headers.cookie);
    const { sessionId, maxAgeSeconds } = await changePassword(context, member, body, device);
    http.cookies.setSession(reply, sessionId, maxAgeSeconds);
    return { message: "Passwort aktualisiert." };
  });

  handle(http, contract.confirmPassword, async ({ member, body, reply }) => {
    const { sessionId, maxAgeSeconds } = await confirmPassword(context, member, body.password);
    http.cookies.setSession(reply, sessionId, maxAgeSeconds);
    return { message: "Passwort bestätigt." };
  });

  handle(http, contract.getDevices, ({ member }) => listDevices(context, member));

  handle(http, contract.endDevice, async ({ member, params, reply }) => {
    await endDevice(context, member, params.id);
    if (params.id === member.sessionId) http.cookies.clearSession(reply);
    return { message: "Gerät abgemeldet." };
  });

  handle(http, contract.endOtherDevices, async ({ member, request }) => {
    await endOtherDevices(context, member, http.cookies.readDevice(request.headers.cookie));
    return { message: "Alle anderen Geräte sind abgemeldet." };
  });

  handle(http, contract.uploadPicture, async ({ member, request }) => ({
    message: "Profilbild hochgeladen.",
    id: await createPicture(context, member, request),
  }));

  handle(http, contract.getPictures, ({ member }) => listPictures(db, member.id));

  handle(http, contract.choosePicture, async ({ member, body }) => {
    await choosePicture(context, member, body.id);
    return { message: "Profilbild erfolgreich geändert." };
  });

  handle(http, contract.deletePicture, async ({ member, params }) => {
    await deleteOwnPicture(context, member, params.id);
    return { message: "Profilbild gelöscht." };
  });
}

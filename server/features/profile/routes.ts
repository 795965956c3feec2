import * as contract from "#contract/profile.ts";
import { listPictures } from "#server/features/members/store.ts";
import { handle } from "#server/platform/http/handle.ts";
import type { Platform } from "#server/platform/platform.ts";
import {
  addPicture,
  changePassword,
  choosePicture,
  confirmPassword,
  endDevice,
  endOtherDevices,
  listDevices,
  removePicture,
  updateProfile,
} from "./actions.ts";

export function addProfileRoutes(platform: Platform): void {
  const { door, db } = platform;

  handle(door, contract.updateProfile, async ({ member, body }) => ({
    data: await updateProfile(platform, member, body),
  }));

  handle(door, contract.changePassword, async ({ member, body, request, reply }) => {
    const device = door.cookies.readDevice(request.headers.cookie);
    const { sessionId, maxAgeSeconds } = await changePassword(platform, member, body, device);
    door.cookies.set(reply, sessionId, maxAgeSeconds);
    return { message: "Passwort aktualisiert." };
  });

  handle(door, contract.confirmPassword, async ({ member, body, reply }) => {
    const { sessionId, maxAgeSeconds } = await confirmPassword(platform, member, body.password);
    door.cookies.set(reply, sessionId, maxAgeSeconds);
    return { message: "Passwort bestätigt." };
  });

  handle(door, contract.getDevices, ({ member }) => listDevices(platform, member));

  handle(door, contract.endDevice, async ({ member, params, reply }) => {
    await endDevice(platform, member, params.id);
    if (params.id === member.sessionId) door.cookies.clear(reply);
    return { message: "Gerät abgemeldet." };
  });

  handle(door, contract.endOtherDevices, async ({ member, request }) => {
    await endOtherDevices(platform, member, door.cookies.readDevice(request.headers.cookie));
    return { message: "Alle anderen Geräte sind abgemeldet." };
  });

  handle(door, contract.uploadPicture, async ({ member, request }) => ({
    message: "Profilbild hochgeladen.",
    id: await addPicture(platform, member, request),
  }));

  handle(door, contract.getPictures, ({ member }) => listPictures(db, member.id));

  handle(door, contract.choosePicture, async ({ member, body }) => {
    await choosePicture(platform, member, body.id);
    return { message: "Profilbild erfolgreich geändert." };
  });

  handle(door, contract.deletePicture, async ({ member, params }) => {
    await removePicture(platform, member, params.id);
    return { message: "Profilbild gelöscht." };
  });
}

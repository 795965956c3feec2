import { getAccountEvents } from "#contract/account-events.ts";
import * as account from "#contract/account.ts";
import * as tokens from "#contract/api-tokens.ts";
import * as contract from "#contract/auth.ts";
import { confirmPassword } from "#contract/confirm-password.ts";
import * as guests from "#contract/guest-device.ts";
import { user } from "#contract/members.ts";
import * as reset from "#contract/password-reset.ts";
import * as profile from "#contract/profile.ts";
import * as registration from "#contract/registration.ts";
import { maxId } from "#server/db/paginate.ts";
import * as memberStore from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sourceOf } from "#server/platform/http/request-log.ts";
import { createRandomToken } from "#server/platform/http/session-cookies.ts";
import { toIso } from "#server/time.ts";
import { createAccountExport, createBeersExport, deleteAccount } from "./account-actions.ts";
import * as eventStore from "./event-store.ts";
import { answerGuest } from "./guest-membership-actions.ts";
import * as invitationActions from "./invitation-actions.ts";
import { clientOf, endSession, login } from "./login-actions.ts";
import * as profileActions from "./profile-actions.ts";
import { requestReset, resetPassword } from "./reset-actions.ts";
import * as tokenActions from "./token-actions.ts";

const maxShownEvents = 50;

export function addLoginRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.getCsrfCookie, async ({ member, request, reply }) => {
    // A visitor always gets a new session id: an attacker may have planted the sent one.
    if (member && request.sessionCookie) http.cookies.setCsrfToken(reply, request.sessionCookie, null);
    else http.cookies.setSession(reply, { sessionId: createRandomToken(), maxAgeSeconds: null });
  });

  handle(http, contract.checkLoginStatus, async ({ member }) => ({ user: member && user.parse(member) }));

  handle(http, contract.login, async ({ body, request, reply }) => {
    const started = await login(context, body, clientOf(http, request));
    if (request.sessionCookie) await endSession(context, request.sessionCookie);
    http.cookies.setSession(reply, started);
    return { user: started.user };
  });

  for (const endpoint of [contract.logout, contract.logoutByPost]) {
    handle(http, endpoint, async ({ request, reply }) => {
      if (request.sessionCookie) await endSession(context, request.sessionCookie);
      http.cookies.clearSession(reply);
      reply.header("clear-site-data", '"cache"');
    });
  }

  handle(http, registration.getInviter, ({ body }) => invitationActions.findInviter(context, body.token));
  handle(
    http,
    registration.register,
    ({ body }) => invitationActions.register(context, body),
    (fields) => invitationActions.checkRegistration(context, fields),
  );

  handle(http, guests.answerGuest, ({ member, params, body }) =>
    answerGuest(context, member, params.guest, body.is_accepted),
  );

  handle(http, reset.forgotPassword, ({ body, request }) => requestReset(context, body.email, request.ip));
  handle(http, reset.resetPassword, ({ body, request }) => resetPassword(context, body, sourceOf(request)));
}

export function addAccountRoutes(context: Context): void {
  const { http, db } = context;
  const { readDevice, setSession, clearSession } = http.cookies;

  handle(http, profile.updateProfile, async ({ member, body, request }) => ({
    data: await profileActions.updateProfile(context, member, body, sourceOf(request)),
  }));
  handle(http, profile.changePassword, async ({ member, body, request, reply }) => {
    const device = readDevice(request.headers.cookie);
    setSession(reply, await profileActions.changePassword(context, member, body, device, sourceOf(request)));
  });
  handle(http, confirmPassword, async ({ member, body, request, reply }) =>
    setSession(reply, await profileActions.confirmPassword(context, member, body.password, sourceOf(request))),
  );

  handle(http, profile.getDevices, ({ member }) => profileActions.listDevices(context, member));
  handle(http, profile.endDevice, async ({ member, params, reply }) => {
    await profileActions.endDevice(context, member, params.id);
    if (params.id === member.sessionId) clearSession(reply);
  });
  handle(http, profile.endOtherDevices, ({ member, request }) =>
    profileActions.endOtherDevices(context, member, readDevice(request.headers.cookie)),
  );

  handle(http, profile.uploadPicture, async ({ member, receiveUpload }) => ({
    id: await profileActions.createPicture(context, member, receiveUpload),
  }));
  handle(http, profile.getPictures, ({ member }) => memberStore.listPictures(db, member.id));
  handle(http, profile.choosePicture, ({ member, body }) => profileActions.choosePicture(context, member, body.id));
  handle(http, profile.deletePicture, ({ member, params }) =>
    profileActions.deleteOwnPicture(context, member, params.id),
  );

  handle(http, tokens.getTokens, ({ member }) => tokenActions.listOwnTokens(context, member));
  handle(http, tokens.createToken, ({ member, body, request }) =>
    tokenActions.createToken(context, member, body, sourceOf(request)),
  );
  handle(http, tokens.revokeToken, ({ member, params, request }) =>
    tokenActions.revokeToken(context, member, params.id, sourceOf(request)),
  );

  handle(http, getAccountEvents, async ({ member }) =>
    (await eventStore.listAccountEvents(db, member.id, maxId, maxShownEvents)).map((event) => ({
      ...event,
      at: toIso(event.at),
    })),
  );

  handle(http, account.exportAccount, async ({ member, reply }) => {
    const document = await createAccountExport(context, member);
    reply.header("content-disposition", 'attachment; filename="stammtisch.json"');
    return document;
  });
  handle(http, account.exportBeers, async ({ member, reply }) => {
    const table = await createBeersExport(context, member);
    reply.header("content-disposition", 'attachment; filename="biere.csv"');
    return table;
  });
  handle(http, account.deleteAccount, async ({ member, body, request, reply }) => {
    await deleteAccount(context, member, body, sourceOf(request));
    clearSession(reply);
    reply.header("clear-site-data", '"cache"');
  });
}

import type { FastifyReply } from "fastify";

import {
  checkLoginStatus,
  getCsrfCookie,
  login as loginEndpoint,
  logout as logoutEndpoint,
  logoutByPost,
} from "#contract/auth.ts";
import { user } from "#contract/members.ts";
import { deviceLifetime } from "#server/features/login-throttle/rules.ts";
import { handle } from "#server/platform/http/handle.ts";
import { newSessionId } from "#server/platform/http/session-cookie.ts";
import type { Platform } from "#server/platform/platform.ts";
import { endSession, login } from "./actions.ts";

export function addAuthRoutes(platform: Platform): void {
  const { door } = platform;

  handle(door, getCsrfCookie, async ({ member, request, reply }) => {
    // A stranger's id is always a new one: an id that somebody else planted is never taken over.
    if (member && request.cookie) door.cookies.setToken(reply, request.cookie, null);
    else door.cookies.set(reply, newSessionId(), null);
  });

  handle(door, checkLoginStatus, async ({ member }) => ({ user: member && user.parse(member) }));

  handle(door, loginEndpoint, async ({ member, body, request, reply }) => {
    const { ip, headers } = request;
    const device = door.cookies.readDevice(headers.cookie);
    const client = { ip, device, member, userAgent: headers["user-agent"] ?? "" };
    const started = await login(platform, body, client);
    if (request.cookie) await endSession(platform, request.cookie);
    door.cookies.set(reply, started.sessionId, started.maxAgeSeconds);
    door.cookies.setDevice(reply, started.device, deviceLifetime / 1000);
    return { user: started.user };
  });

  for (const endpoint of [logoutEndpoint, logoutByPost]) {
    handle(door, endpoint, async ({ request, reply }) => {
      if (request.cookie) await endSession(platform, request.cookie);
      return sayGoodbye(reply);
    });
  }

  function sayGoodbye(reply: FastifyReply) {
    door.cookies.clear(reply);
    reply.header("clear-site-data", '"cache"');
    return { message: "Abgemeldet." };
  }
}

import { join } from "node:path";

import { gameServersUpdated } from "#contract/game-servers.ts";

import type { Config } from "./config.ts";
import type { Database } from "./db/connect.ts";
import { addAdminRoutes } from "./features/admin/routes.ts";
import { createFindAccess, createFindMember } from "./features/auth/actions.ts";
import { addAccountRoutes } from "./features/account/routes.ts";
import { addAuthRoutes } from "./features/auth/routes.ts";
import { beercounterChannel } from "./features/beercounter/actions.ts";
import { addBeercounterRoutes } from "./features/beercounter/routes.ts";
import { addChristmasCalendarRoutes } from "./features/christmas-calendar/routes.ts";
import { addGameServerRoutes, type GameServerOptions } from "./features/game-servers/routes.ts";
import { addGroupRoutes } from "./features/group/routes.ts";
import { addHeightCalculatorRoutes } from "./features/height-calculator/routes.ts";
import { addInvitationRoutes } from "./features/invitations/routes.ts";
import { addMemberRoutes } from "./features/members/routes.ts";
import { createFindTarget, createSettle } from "./features/notifications/actions.ts";
import { addNotificationRoutes } from "./features/notifications/routes.ts";
import { addPasswordResetRoutes } from "./features/password-reset/routes.ts";
import { addPresenceRoutes } from "./features/presence/routes.ts";
import { addProfileRoutes } from "./features/profile/routes.ts";
import { addStatisticsRoutes } from "./features/statistics/routes.ts";
import { addTvRoutes } from "./features/tv/routes.ts";
import { addYearReviewRoutes } from "./features/year-review/routes.ts";
import type { Clock } from "./platform/clock.ts";
import { openGroup } from "./platform/group.ts";
import { openDoor } from "./platform/http/door.ts";
import { servePages } from "./platform/http/pages.ts";
import type { Log } from "./platform/log.ts";
import { openMailer } from "./platform/mail/mailer.ts";
import type { Platform } from "./platform/platform.ts";
import { openPush } from "./platform/push/push.ts";
import { addRealtimeRoutes } from "./platform/realtime/routes.ts";
import { connectRealtime, openBus, realtimeOrigin } from "./platform/realtime/connect.ts";
import type { Secrets } from "./platform/secrets.ts";

/** Everything but the listening: the door, the sockets, and every feature bound to them. */
export async function openApp(options: {
  config: Config;
  database: Database;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  gameServers?: GameServerOptions;
}): Promise<Platform> {
  const { config, database, secrets, clock, log } = options;
  const { db } = database;

  const findMember = createFindMember(db, config, clock);
  const door = await openDoor({ config, clock, log, appKey: secrets.appKey, findMember });
  const bus = openBus(config, database, log);
  const findAccess = createFindAccess(db, config, clock);
  const channels = [
    beercounterChannel(db),
    { name: gameServersUpdated.channel, permission: "see-game-servers" } as const,
  ];
  const realtime = connectRealtime({ ...options, bus, door, findAccess, channels });
  const group = openGroup({ config, db });
  const mailer = openMailer({ config, db, clock, log, group });
  const push = openPush({
    ...{ config, clock, log, vapid: secrets.vapid },
    findTarget: createFindTarget(db, config, clock),
    settle: createSettle(db, clock, log),
  });
  const platform: Platform = { ...options, db, door, bus, realtime, mailer, push, group };

  addGroupRoutes(platform);
  addAuthRoutes(platform);
  addInvitationRoutes(platform);
  addMemberRoutes(platform);
  addPasswordResetRoutes(platform);
  addProfileRoutes(platform);
  addNotificationRoutes(platform);
  addBeercounterRoutes(platform);
  addStatisticsRoutes(platform);
  addYearReviewRoutes(platform);
  addGameServerRoutes(platform, options.gameServers);
  addChristmasCalendarRoutes(platform);
  addHeightCalculatorRoutes(platform);
  addAccountRoutes(platform);
  addTvRoutes(platform);
  addPresenceRoutes(platform);
  addAdminRoutes(platform, options.gameServers?.drivers);
  addRealtimeRoutes(platform);
  await servePages(door, join(import.meta.dirname, "../dist"), realtimeOrigin(config));
  door.app.server.on("upgrade", realtime.handleUpgrade);

  return platform;
}

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
import { createFindTarget, createRecordDelivery } from "./features/notifications/actions.ts";
import { addNotificationRoutes } from "./features/notifications/routes.ts";
import { addPasswordResetRoutes } from "./features/password-reset/routes.ts";
import { addPresenceRoutes } from "./features/presence/routes.ts";
import { addProfileRoutes } from "./features/profile/routes.ts";
import { addStatisticsRoutes } from "./features/statistics/routes.ts";
import { addTvRoutes } from "./features/tv/routes.ts";
import { addYearReviewRoutes } from "./features/year-review/routes.ts";
import type { Clock } from "./platform/clock.ts";
import { createGroup } from "./platform/group.ts";
import { createHttpServer } from "./platform/http/http-server.ts";
import { servePages } from "./platform/http/pages.ts";
import type { Log } from "./platform/log.ts";
import { createMailer } from "./platform/mail/mailer.ts";
import type { Context } from "./platform/context.ts";
import { createPush } from "./platform/push/push.ts";
import { addRealtimeRoutes } from "./platform/realtime/routes.ts";
import { createRealtime, createBus, realtimeOrigin } from "./platform/realtime/create-realtime.ts";
import type { Secrets } from "./platform/secrets.ts";

/** Everything but the listening: the door, the sockets, and every feature bound to them. */
export async function createApp(options: {
  config: Config;
  database: Database;
  secrets: Secrets;
  clock: Clock;
  log: Log;
  gameServers?: GameServerOptions;
  /** The built pages; tests that do not ask for one leave them out. */
  pagesFolder?: string;
}): Promise<Context> {
  const { config, database, secrets, clock, log } = options;
  const { db } = database;

  const findMember = createFindMember(db, config, clock);
  const http = await createHttpServer({ config, clock, log, appKey: secrets.appKey, findMember });
  const bus = createBus(config, database, log);
  const findAccess = createFindAccess(db, config, clock);
  const channels = [
    beercounterChannel(db),
    { name: gameServersUpdated.channel, permission: "see-game-servers" } as const,
  ];
  const realtime = createRealtime({ ...options, bus, http, findAccess, channels });
  const group = createGroup({ config, db });
  const mailer = createMailer({ config, db, clock, log, group });
  const push = createPush({
    ...{ config, clock, log, vapid: secrets.vapid },
    findTarget: createFindTarget(db, config, clock),
    recordDelivery: createRecordDelivery(db, clock, log),
  });
  const context: Context = { ...options, db, http, bus, realtime, mailer, push, group };

  addGroupRoutes(context);
  addAuthRoutes(context);
  addInvitationRoutes(context);
  addMemberRoutes(context);
  addPasswordResetRoutes(context);
  addProfileRoutes(context);
  addNotificationRoutes(context);
  addBeercounterRoutes(context);
  addStatisticsRoutes(context);
  addYearReviewRoutes(context);
  addGameServerRoutes(context, options.gameServers);
  addChristmasCalendarRoutes(context);
  addHeightCalculatorRoutes(context);
  addAccountRoutes(context);
  addTvRoutes(context);
  addPresenceRoutes(context);
  addAdminRoutes(context, options.gameServers?.drivers);
  addRealtimeRoutes(context);
  const { pagesFolder = join(import.meta.dirname, "../dist") } = options;
  await servePages(http, pagesFolder, realtimeOrigin(config));
  http.fastify.server.on("upgrade", realtime.handleUpgrade);

  return context;
}

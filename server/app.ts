import { join } from "node:path";

import { createFindTokenCaller } from "#server/features/accounts/token-actions.ts";
import { createFindAccess, createFindMember } from "#server/features/members/session-actions.ts";
import { createFindPartyNumbers } from "#server/features/parties/actions.ts";
import { features, tables } from "./features.ts";
import { createGroupConfig } from "./features/group/rules.ts";
import { createNotify, createPrepareDelivery, createRecordDelivery } from "./features/notifications/actions.ts";
import { createSendWebhooks, createWebhookSender } from "./features/webhooks/actions.ts";
import { createSay } from "./platform/change.ts";
import type { Context, TestDoubles } from "./platform/context.ts";
import { createGroup } from "./platform/group.ts";
import { createHttpServer } from "./platform/http/http-server.ts";
import { servePages } from "./platform/http/pages.ts";
import { createLocalLeases, createPostgresLeases } from "./platform/leases/leases.ts";
import { createMailSender } from "./platform/mail/mail-sender.ts";
import { createOutbox } from "./platform/outbox/outbox.ts";
import { createPush } from "./platform/push/push.ts";
import { createBus, createRealtime, realtimeOrigin } from "./platform/realtime/create-realtime.ts";
import { addRealtimeRoutes } from "./platform/realtime/routes.ts";
import { createRotatableSecrets } from "./platform/security/rotatable-secrets.ts";
import { readUsedSecrets } from "./platform/security/secrets.ts";

interface AppOptions
  extends TestDoubles, Pick<Context, "config" | "database" | "secrets" | "clock" | "log" | "stopping"> {
  /** Default: dist/. */
  readonly pagesFolder?: string;
}

/** Creates the server with HTTP, WebSockets and all features. The caller starts listening. */
export async function createApp(options: AppOptions): Promise<Context> {
  const { config, database, secrets, clock, log, pagesFolder = join(import.meta.dirname, "../dist") } = options;
  const { db } = database;

  const findMember = createFindMember(db, config, clock);
  const findTokenCaller = createFindTokenCaller(db, clock);
  const read = async () => readUsedSecrets(database, config);
  const rotatableSecrets = createRotatableSecrets({ secrets, read, clock, log });
  const leases = database.kind === "postgres" ? createPostgresLeases({ db, log }) : createLocalLeases();
  const { countInstances } = leases;
  const http = await createHttpServer({
    config,
    clock,
    log,
    secrets: rotatableSecrets,
    findMember,
    findTokenCaller,
    countInstances,
  });
  const bus = createBus(config, database, log);
  const findAccess = createFindAccess(db, config, clock);
  const findPartyNumbers = createFindPartyNumbers(clock);
  const channelContext = { db, clock, config, findPartyNumbers };
  const channels = features.flatMap((feature) => feature.channels?.(channelContext) ?? []);
  const settingsVersion = () => JSON.stringify(readGroup());
  const realtime = createRealtime({
    ...options,
    db,
    rotatableSecrets,
    bus,
    http,
    leases,
    findAccess,
    channels,
    settingsVersion,
  });
  const group = createGroup({ config, db, bus });
  // Loaded before the first page is served, because pages contain the group's name.
  await group.settings();
  const push = createPush({
    config,
    clock,
    log,
    vapid: secrets.vapid,
    prepareDelivery: createPrepareDelivery(db, config, clock),
    recordDelivery: createRecordDelivery(db, clock, log),
  });
  const outbox = createOutbox({
    db,
    clock,
    log,
    senders: [
      createMailSender({ config, clock, log, group }),
      push.sender,
      createWebhookSender({ db, config, clock, log, group }),
    ],
  });
  const say = createSay({
    clock,
    outbox,
    group,
    realtime,
    notify: createNotify({ config, clock, group, outbox }),
    sendWebhooks: createSendWebhooks({ clock, outbox }),
  });
  const accountExports = features.flatMap(({ accountExport }) => accountExport ?? []);
  const context: Context = {
    ...options,
    rotatableSecrets,
    db,
    http,
    bus,
    leases,
    realtime,
    outbox,
    push,
    say,
    findPartyNumbers,
    group,
    tables,
    accountExports,
  };

  for (const { routes = [] } of features) for (const addRoutes of routes) addRoutes(context);
  addRealtimeRoutes(context);
  const readGroup = () => createGroupConfig(config, group.known(), secrets.vapid.publicKey);
  await servePages(http, {
    folder: pagesFolder,
    realtimeOrigin: realtimeOrigin(config),
    readGroup,
  });
  http.fastify.server.on("upgrade", realtime.handleUpgrade);

  return context;
}

import { createNotify } from "./features/notifications/actions.ts";
import { createSendWebhooks } from "./features/webhooks/actions.ts";
import { createSay } from "./platform/change.ts";
import type { Context } from "./platform/context.ts";
import { createGroup } from "./platform/group.ts";
import { createLog } from "./platform/log.ts";
import { createOutbox } from "./platform/outbox/outbox.ts";

/** Running servers send the messages that this `say` adds to the outbox. */
export function createCommandSay({ config, db, clock }: Pick<Context, "config" | "db" | "clock">): Context["say"] {
  const bus = { onGap() {}, onMessage() {}, async send() {} };
  const group = createGroup({ config, db, bus });
  const outbox = createOutbox({ db, clock, log: createLog(config.logLevel), senders: [] });
  const notify = createNotify({ config, clock, group, outbox });
  return createSay({
    clock,
    outbox,
    group,
    realtime: null,
    notify,
    sendWebhooks: createSendWebhooks({ clock, outbox }),
  });
}

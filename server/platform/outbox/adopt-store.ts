import type { Kysely } from "kysely";

import { type Db, inTransaction } from "#server/db/connect.ts";
import * as store from "./store.ts";

/** The queues of the previous release, whose instances may still fill them. */
interface FormerTables {
  mails: {
    id: string;
    recipient: string;
    subject: string;
    text: string;
    html: string;
    due_at: number;
    refusals: number;
    expires_at: number;
  };
  queued_pushes: {
    subscription_id: number;
    payload: string;
    topic: string;
    permission: string | null;
    expires_at: number;
    due_at: number;
    failures: number;
  };
  kept_pushes: {
    subscription_id: number;
    payload: string;
    topic: string;
    permission: string | null;
    expires_at: number;
  };
  webhook_deliveries: {
    id: string;
    webhook_id: number;
    message: string;
    created_at: number;
    due_at: number;
    state: "waiting" | "delivered" | "dropped";
    attempts: number;
    status: number | null;
    failure: string | null;
  };
}

/**
 * Leaves messages that an instance of the previous release is sending or will retry: their `due_at` is after `now`
 * (epoch ms). `webhookLifetime` is in ms.
 */
export async function adoptFormerMessages(db: Db, now: number, webhookLifetime: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const former = tx as unknown as Kysely<FormerTables>;
    const mails = await former.deleteFrom("mails").where("due_at", "<=", now).returningAll().execute();
    const pushes = await former.deleteFrom("queued_pushes").where("due_at", "<=", now).returningAll().execute();
    const kept = await former.deleteFrom("kept_pushes").returningAll().execute();
    const deliveries = await former
      .deleteFrom("webhook_deliveries")
      .where(({ eb, or }) => or([eb("state", "!=", "waiting"), eb("due_at", "<=", now)]))
      .returningAll()
      .execute();
    const adopted = [
      ...mails.map(({ id, due_at, refusals, expires_at, ...mail }) => ({
        ...{ uuid: id, kind: "mail" as const, receiver: mail.recipient, message: JSON.stringify(mail) },
        ...{ created_at: now, expires_at, due_at, attempts: refusals, state: "waiting" as const },
      })),
      ...[...pushes, ...kept.map((push) => ({ ...push, failures: 0 }))].map((push) => {
        const { subscription_id, expires_at, failures, payload, topic, permission } = push;
        return {
          ...{ uuid: crypto.randomUUID(), kind: "push" as const, receiver: String(subscription_id) },
          ...{ message: JSON.stringify({ payload, topic, permission }), created_at: now, expires_at },
          ...{ due_at: now, attempts: failures, state: "waiting" as const },
        };
      }),
      ...deliveries.map(({ id, webhook_id, message, created_at, due_at, state, attempts, status, failure }) => ({
        ...{ uuid: id, kind: "webhook" as const, receiver: String(webhook_id), message, created_at, due_at, state },
        ...{ attempts, expires_at: created_at + webhookLifetime },
        answer: status === null && failure === null ? null : JSON.stringify({ status, failure }),
      })),
    ];
    // Without tags, they replace no newer push.
    await store.createMessages(tx, adopted);
  });
}

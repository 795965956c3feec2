import { expect, test } from "vitest";

import { adoptFormerMessages } from "#server/platform/outbox/adopt-store.ts";
import { days, minutes } from "#server/time.ts";
import { readMails } from "#test/mailbox.ts";
import { createTestApp } from "#test/test-app.ts";

test(
  "messages that an instance of the previous release has queued are moved to the outbox, except those that it will send itself",
  { tags: "postgres" },
  async () => {
    const app = await createTestApp();
    await app.createMember("anna");
    const now = app.clock.now();
    const { id: session_id } = await app.db.selectFrom("sessions").select("id").executeTakeFirstOrThrow();
    const target = { endpoint: "https://push.example", p256dh: "", auth: "", created_at: now };
    const { id: subscription_id } = await app.db
      .insertInto("push_subscriptions")
      .values({ session_id, ...target })
      .returning("id")
      .executeTakeFirstOrThrow();
    const insert = (table: string, row: object) =>
      app.db
        .insertInto(table as "outbox")
        .values(row as never)
        .execute();
    const mail = { recipient: "anna@stammtisch.example", subject: "Prost", text: "Prost!", html: "<p>Prost!</p>" };
    await insert("mails", { ...mail, id: "due", due_at: now, refusals: 2, expires_at: now + days(1) });
    await insert("mails", { ...mail, id: "later", due_at: now + minutes(1), refusals: 0, expires_at: now + days(1) });
    const push = { subscription_id, payload: "{}", topic: "t", permission: null, expires_at: now + minutes(9) };
    await insert("queued_pushes", { ...push, tag: "beers", due_at: now, failures: 1 });
    await insert("kept_pushes", push);
    await insert("webhooks", {
      ...{ id: 3, name: "Chat", format: "json", url: "https://chat.example", token: "", secret: "", created_by: null },
      ...{ created_at: now, paused_at: null, failing_since: null, last_beer_id: 0, summarized_at: now },
    });
    const delivery = { webhook_id: 3, message: '{"event":"party"}', event: "party", created_at: now, attempts: 1 };
    const waits = { due_at: now, state: "waiting", status: null, failure: null };
    await insert("webhook_deliveries", { ...delivery, ...waits, id: "w1" });
    await insert("webhook_deliveries", { ...delivery, ...waits, id: "w2", state: "delivered", status: 204 });

    await adoptFormerMessages(app.db, now, days(1));
    const rows = await app.db.selectFrom("outbox").selectAll().orderBy("id").execute();
    expect(
      rows.map(({ kind, receiver, state, attempts, answer }) => [kind, receiver, state, attempts, answer]),
    ).toEqual([
      ["mail", "anna@stammtisch.example", "waiting", 2, null],
      ["push", `${subscription_id}`, "waiting", 1, null],
      ["push", `${subscription_id}`, "waiting", 0, null],
      ["webhook", "3", "waiting", 1, null],
      ["webhook", "3", "delivered", 1, '{"status":204,"failure":null}'],
    ]);
    expect(await readMails(app)).toMatchObject([{ subject: "Prost" }]);
    const left = await app.db
      .selectFrom("mails" as "outbox")
      .select("id")
      .execute();
    expect(left).toEqual([{ id: "later" }]);
  },
);

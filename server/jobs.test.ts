import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { sql } from "kysely";
import { expect, test } from "vitest";

import { fixtures } from "#test/fixtures.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { features, tables } from "./features.ts";
import { formerTables } from "./platform/table-policy.ts";
import { days } from "./time.ts";

async function runJobs({ context }: TestApp): Promise<void> {
  for (const kind of ["mail", "push", "webhook"] as const) await context.outbox.sendDue(kind);
  for (const { run } of features.flatMap(({ jobs = [] }) => jobs)) await run(context);
}

/**
 * Excluded from backups, but not deleted by a job: API tokens last until their member revokes them, refresh tokens until
 * the OpenID provider refuses them, and the bus and the client of a hosted realtime service delete their rows themselves.
 */
const kept = new Set(["api_tokens", "bus_messages", "leases", "oidc_grants", "socket_ends"]);

/** Names of the tables with short-lived rows, which backups exclude. */
const perishable = Object.keys(tables).filter(
  (table) => tables[table]!.backup === "excluded" && !kept.has(table) && !(table in formerTables),
);

async function listFilled({ db }: TestApp): Promise<string[]> {
  const filled: string[] = [];
  for (const table of perishable) {
    const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(db);
    if (rows.length > 0) filled.push(table);
  }
  return filled;
}

test(
  "the periodic jobs delete all rows of tables that keep data only for a limited time within half a year",
  { tags: "postgres" },
  async () => {
    const app = await createTestApp();
    const { db } = app;
    const anna = await app.createMember("anna");
    const ben = await app.createUser("ben");
    await anna.post("/api/login", { uname: "anna", password });
    await anna.post("/api/forgot-password", { email: "anna@stammtisch.example" });
    await anna.post("/api/user/passkey-options");
    await anna.post("/api/admin/tv", { name: "Keller" });
    await anna.post("/api/tv/code");
    const hook = { name: "Chat", format: "json", url: "https://chat.example/hook", token: "", events: ["party"] };
    await anna.post("/api/admin/webhooks", hook);
    const party = { event: "party", change: "ended", name: "Silvester", userId: null } as const;
    await app.context.say(app.db, null).webhook(party);
    await anna.post(`/api/members/${ben}/toast`);
    const { id: session_id } = await db.selectFrom("sessions").select("id").executeTakeFirstOrThrow();
    await db.insertInto("push_refusals").values({ session_id }).execute();
    await db.insertInto("notification_pauses").values({ key: "a", pushed_at: 0, count: 1 }).execute();
    const push = { id: 1, session_id, endpoint: "https://push.example", p256dh: "", auth: "", created_at: 0 };
    await db.insertInto("push_subscriptions").values(push).execute();
    const browser = { browser_id: "a", invitation_hash: null, is_remembered: 0, expires_at: 0 };
    await db
      .insertInto("oidc_requests")
      .values({
        ...browser,
        id: "a",
        purpose: "login",
        user_id: null,
        return_to: "",
        redirect_uri: "",
        code_verifier: "",
        nonce: "",
        created_at: 0,
      })
      .execute();
    const proven = { ...browser, issuer: "https://id.example", subject: "anna", confirmed_at: 0 };
    await db.insertInto("oidc_registrations").values(proven).execute();
    await db.insertInto("oidc_logouts").values({ id: "a", expires_at: 0 }).execute();
    const door = "2026-12-07";
    await db.insertInto("calendar_assignments").values({ date: door, user_id: ben }).execute();
    await db.insertInto("calendar_swaps").values({ date: door, from_id: ben, to_id: 1, picture_id: null }).execute();
    const picture = { date: door, id: "a", screen: fixtures.png, phone: fixtures.png };
    await db.insertInto("calendar_pictures").values(picture).execute();
    await db.insertInto("calendar_reveals").values({ picture_id: "a", user_id: 1, at: 0 }).execute();
    await db
      .insertInto("calendar_removed_pictures")
      .values({
        ...picture,
        id: "b",
        text: null,
        is_hidden: 0,
        is_by_owner: 0,
        owner_id: ben,
        removed_at: app.clock.now(),
      })
      .execute();

    expect(await listFilled(app), "insert a row into each above").toEqual(perishable);
    app.clock.time += days(181);
    await runJobs(app);
    expect(await listFilled(app), "delete their rows in a job of their feature").toEqual([]);
  },
);

test("the periodic jobs do not touch files in DATA_DIR/uploads, which the app does not use", async () => {
  const app = await createTestApp();
  const letter = join(app.config.dataDir, "uploads/letter.txt");
  mkdirSync(dirname(letter));
  writeFileSync(letter, "Prost!");
  await runJobs(app);
  expect(readFileSync(letter, "utf8")).toBe("Prost!");
});

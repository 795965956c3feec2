import { beforeEach, describe, expect, test, vi } from "vitest";

import { createInvitation, listManagedInvitations } from "#server/features/accounts/invitation-actions.ts";
import { claimChallenge, createChallenge } from "#server/features/accounts/passkey-store.ts";
import { createResetLink } from "#server/features/accounts/reset-actions.ts";
import { type EncodedPicture, importYear } from "#server/features/calendar/actions.ts";
import { jobs as sessionJobs } from "#server/features/members/jobs.ts";
import { days, minutes, seconds } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { connectPage } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { repairAfterJumps, repairTimes } from "./clock-repair.ts";

let app: TestApp;

beforeEach(async () => {
  // With this factor the login throttle checks five wrong passwords within a minute and refuses
  // further attempts.
  app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
});

/** Runs `work` while the server's clock is ahead, by 90 days by default, then corrects the clock and repairs the times. */
async function whileAhead<Result>(work: () => Promise<Result>, by = days(90)): Promise<Result> {
  app.clock.time += by;
  const result = await work();
  app.clock.time -= by;
  await repairTimes(app.context);
  return result;
}

const login = (client: Client, typed = password) =>
  client.post("/api/login", { uname: "anna", password: typed, rememberUser: true });
const isLoggedIn = async (client: Client) => (await client.get("/api/checkLoginStatus")).json.user !== null;

describe("correction of a clock that was ahead", () => {
  test("wrong passwords typed while the server's clock was ahead do not throttle logins after its correction", async () => {
    await app.createUser("anna");
    const guest = app.createClient();
    await whileAhead(async () => {
      for (let attempt = 0; attempt < 5; attempt++) await login(guest, "falsch");
      expect((await login(guest)).status).toBe(429);
    });
    expect((await login(guest)).status).toBe(200);
  });

  test("a clock correction unlocks an account locked by wrong passwords, and the next wrong password locks it again", async () => {
    await app.createUser("anna");
    await app.db.updateTable("users").set({ failed_logins: 99 }).execute();
    await whileAhead(() => login(app.createClient(), "falsch"));
    expect((await login(app.createClient(), "falsch")).status).toBe(422);
    const { status, headers } = await login(app.createClient());
    expect([status, headers["retry-after"]]).toEqual([429, String(minutes(30) / 1000)]);
  });

  test("a clock correction ends a session that began further in the future than the longest session lifetime", async () => {
    const anna = app.createClient();
    await app.createUser("anna");
    await whileAhead(() => login(anna));
    expect(await isLoggedIn(anna)).toBe(false);
    for (const { run } of sessionJobs) await run(app.context);
    expect(await app.db.selectFrom("sessions").select("id").execute()).toEqual([]);
  });

  test("a clock correction by one day ends no session and corrects the session's last-seen time", async () => {
    const anna = await whileAhead(() => app.createMember("anna"), days(1));
    expect(await isLoggedIn(anna)).toBe(true);
    const { last_seen_at } = await app.db.selectFrom("sessions").selectAll().executeTakeFirstOrThrow();
    expect(last_seen_at).toBe(app.clock.time);
  });

  test("a password confirmed while the clock was ahead must be confirmed again after the clock's correction", async () => {
    const anna = await app.createMember("anna");
    await app.rememberSessions();
    const confirmed = await whileAhead(() => anna.post("/api/user/confirmPassword", { password }), days(20));
    expect(confirmed.status).toBe(200);
    const body = { permissions: ["admin"], days: 7, uses: 1 };
    expect((await anna.post("/api/admin/invitations", body)).status).toBe(423);
  });

  test("a browser that logged in while the clock was 200 days ahead does not count as a known browser", async () => {
    await app.createUser("anna");
    const browser = app.createClient();
    await whileAhead(() => login(browser), days(200));
    await app.db.updateTable("users").set({ failed_logins: 99 }).execute();
    expect((await login(browser, "falsch")).status).toBe(422);
    expect((await login(browser)).status).toBe(429);
  });

  test("invitations, reset links and passkey challenges created while the clock was ahead are expired after its correction", async () => {
    await app.createUser("anna");
    const challenge = { id: "c", purpose: "login", session_id: "s" } as const;
    const made = await whileAhead(async () => {
      await createChallenge(app.db, { ...challenge, expires_at: app.clock.now() + minutes(5) });
      return {
        invitation: await createInvitation(app.context, { permissions: [], days: 7, uses: 1, createdBy: null }),
        link: await createResetLink(app.db, app.context, 1, { by: null }),
      };
    });
    const chosen = { password: "Lindenblatt und Hopfen", password_confirmation: "Lindenblatt und Hopfen" };
    const guest = app.createClient();
    const { invitations } = await listManagedInvitations(app.context, 10, 10);
    expect(invitations).toMatchObject([{ state: "expired" }]);
    const form = { token: made.invitation.token, uname: "ben", name: "Ben", email: "ben@stammtisch.example" };
    expect((await guest.post("/api/register", { ...form, ...chosen })).json.errors).toHaveProperty("token");
    const reset = await guest.post("/api/reset-password", { token: made.link!.url.split("=")[1], ...chosen });
    expect(reset.json.errors).toHaveProperty("token");
    expect(await claimChallenge(app.db, challenge, app.clock.now())).toBe(false);
  });

  test("a toast sent while the clock was ahead does not throttle the next toast", async () => {
    const [anna, ben] = [await app.createMember("anna"), await app.createMember("ben")];
    await app.rememberSessions();
    await whileAhead(() => anna.post("/api/members/2/toast"), days(20));
    const page = await connectPage(app, ben);
    await anna.post("/api/members/2/toast");
    expect((await page.next("toasted")).data).toMatchObject({ userName: "Anna" });
  });

  test("parties started while the clock was ahead are over after its correction, and do not count towards the limit of parties", async () => {
    const ben = await app.createMember("ben");
    await app.rememberSessions();
    await whileAhead(async () => {
      for (let number = 1; number <= 5; number++) await ben.post("/api/parties", { name: `Party ${number}` });
    }, days(20));
    expect((await ben.get("/api/parties/1")).json.is_running).toBe(false);
    expect((await ben.post("/api/parties/1/members")).status).toBe(422);
    expect((await ben.post("/api/parties", { name: "Jetzt" })).status).toBe(201);
    const { parties } = (await ben.get("/api/parties")).json;
    expect(parties.map((party: { is_running: boolean }) => party.is_running)).toEqual([true, ...Array(5).fill(false)]);
  });
});

describe("repair of times from the future", () => {
  const noted = () => app.logLines.filter(({ event }) => event === "times-from-the-future");

  test("the repair logs the table, the column and the number of rows whose times it replaced", async () => {
    await whileAhead(() => createInvitation(app.context, { permissions: [], days: 7, uses: 1, createdBy: null }));
    const fields = { table: "invitations", column: "expires_at", rows: 1 };
    expect(noted()).toEqual([{ level: "warn", event: "times-from-the-future", fields }]);
  });

  test("the repair changes nothing that was stored with a right clock", async () => {
    await login((await app.createMember("anna")).through(app), "falsch");
    await createInvitation(app.context, { permissions: [], days: 30, uses: 1, createdBy: 1 });
    await createResetLink(app.db, app.context, 1, { by: null });
    await repairTimes(app.context);
    expect(noted()).toEqual([]);
  });

  test("a clock that is set back while the program runs is repaired, one that is slightly adjusted is not", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    app.clock.offset = days(2);
    const stop = repairAfterJumps(app.context);
    await app.createMember("anna");
    await app.db.updateTable("users").set({ failed_logins: 99 }).execute();
    await login(app.createClient(), "falsch");
    app.clock.offset -= seconds(4);
    await vi.advanceTimersByTimeAsync(seconds(10));
    expect(noted()).toEqual([]);
    app.clock.offset = 0;
    await vi.advanceTimersByTimeAsync(seconds(10));
    await expect.poll(() => noted().map(({ fields }) => fields["column"])).toEqual(["last_seen_at", "confirmed_at"]);
    expect((await login(app.createClient())).status, "the pause, by the monotonic clock, goes on").toBe(429);
    stop();
    vi.useRealTimers();
  });
});

describe("calendar door opened with the clock ahead", () => {
  const picture: EncodedPicture = { screen: Buffer.from("RIFF"), phone: Buffer.from("RIFF") };
  const list = async (client: Client) => (await client.get("/api/christmas-calendar/opened-images")).json.images;
  let ben: Client;
  let carla: Client;
  let url: string;

  /**
   * Opens the doors of 1 and 5 December as Ben, and the later one also as Carla, while the clock
   * says 6 December. The real date is 3 December.
   */
  beforeEach(async () => {
    app.clock.time = Date.parse("2026-12-03T10:00:00Z");
    await importYear(
      app.context,
      2026,
      Array.from({ length: 24 }, () => picture),
      { by: null, at: 0 },
    );
    [ben, carla] = [await app.createMember("ben"), await app.createMember("carla")];
    await app.rememberSessions();
    await whileAhead(async () => {
      for (const date of ["2026-12-01", "2026-12-05"])
        ({ url } = (await ben.post(`/api/christmas-calendar/open/${date}`)).json);
      await carla.post("/api/christmas-calendar/open/2026-12-05");
    }, days(3));
  });

  test("a calendar door opened too early because of a wrong clock is closed until its day and hides its picture", async () => {
    const images = await list(ben);
    expect([images[0].url !== "", images[4]]).toEqual([true, { date: "2026-12-05", url: "" }]);
    expect((await ben.get(url)).status).toBe(404);
    const { calendar_doors_opened } = (await ben.get("/api/user/export")).json;
    expect(calendar_doors_opened).toMatchObject([{ date: "2026-12-01" }]);
  });

  test(
    "a calendar door opened too early because of a wrong clock is open and counted from the start of its day",
    { tags: "postgres" },
    async () => {
      const anna = await app.createMember("anna");
      const managed = async () => (await anna.get("/api/admin/calendar?year=2026")).json.days[4].opened;
      expect(await managed()).toBe(0);
      await app.rememberSessions();
      app.clock.time += days(2);
      expect(await managed()).toBe(2);
      expect((await list(ben))[4]).toEqual({ date: "2026-12-05", url, opened: 2, members: 3 });
      expect((await ben.get(url)).status).toBe(200);
    },
  );
});

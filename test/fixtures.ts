import { sha256 } from "#server/platform/http/session-cookies.ts";
import type { TestApp } from "./test-app.ts";

/** One picture of Carla's and one beer, two evenings of last year, one television, one open calendar door, one game server without an engine: what the well-meant calls of the table ask for. */
export const fixtures = {
  avatarId: "carlas-picture-0000000",
  calendarId: "a-picture-in-december0",
  calendarDate: "2025-12-01",
  tvToken: "the-token-of-the-television-above-the-bar-00",
  /** A browser that never hears anything. */
  pushSubscription: {
    endpoint: "https://127.0.0.1/nobody",
    expirationTime: null,
    keys: {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    },
  },
  // A white pixel.
  png: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWP4//8/AAX+Av5Y8msOAAAAAElFTkSuQmCC",
    "base64",
  ),
} as const;

/** Needs Carla to be seated, and opens the door for everybody who is. */
export async function insertFixtures({ db, clock }: TestApp): Promise<void> {
  const { avatarId, calendarId, calendarDate, png } = fixtures;
  const users = await db.selectFrom("users").select(["id", "uname"]).execute();
  const carla = users.find(({ uname }) => uname === "carla")!;
  await db.insertInto("pictures").values({ id: avatarId, user_id: carla.id, png, created_at: 0 }).execute();
  await db.updateTable("users").set({ avatar_id: avatarId }).where("id", "=", carla.id).execute();
  const door = { date: calendarDate, id: calendarId, screen: png, phone: png };
  await db.insertInto("calendar_pictures").values(door).execute();
  // Two evenings of last year, with a week between them.
  const evenings = ["2025-06-06", "2025-06-14"].flatMap((day) =>
    users.map(({ id }) => ({ day, user_id: id, total: 2 })),
  );
  await db.insertInto("beer_member_days").values(evenings).execute();
  const opened = users.map(({ id }) => ({ user_id: id, date: calendarDate, opened_at: clock.now() }));
  await db.insertInto("calendar_openings").values(opened).execute();
  await db
    .insertInto("tv_links")
    .values({ name: "Theke", token_hash: sha256(fixtures.tvToken), created_by: carla.id, created_at: 0 })
    .execute();
  const beer = { user_id: carla.id, key: null, booked_at: null, group_total: 100, own_total: 100 };
  await db
    .insertInto("beers")
    .values({ ...beer, at: clock.now() })
    .execute();
  const milestones = users.map(({ id }) => ({ kind: "member", count: 50, user_id: id, at: clock.now() }) as const);
  await db.insertInto("milestones").values(milestones).execute();
  const server = { display_name: "Teeworlds", driver: "docker", ref: "teeworlds", query: "none", position: 1 };
  const players = JSON.stringify({ online: 1, max: 8, names: ["Emil"] });
  await db
    .insertInto("game_servers")
    .values({ ...server, id: 1, phase: "unreachable", created_at: 0, players })
    .execute();
}

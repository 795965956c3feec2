import { type ExampleCalls, prefixed } from "#test/example-call.ts";
import { password } from "#test/test-app.ts";

export const exampleCalls = {
  "POST /api/user/delete": { status: 422, body: () => ({ uname: "somebody-else", password, beers: "keep" }) },
} satisfies ExampleCalls;

export const exportedFields = [
  "exported_at",
  ...prefixed("profile.", ["id", "uname", "name", "email", "permissions[]", "avatar", "member_since"]),
  ...prefixed("profile.", ["visibility", "sees_door_owners", "news_seen", "last_login_at", "invitation"]),
  ...prefixed("devices[].", [
    "device",
    "user_agent",
    "logged_in_at",
    "last_seen_at",
    "confirmed_at",
    "passkey_used_at",
    "stays_logged_in",
    "push_endpoint",
  ]),
  "known_browsers[].last_login_at",
  ...prefixed("pictures[].", ["id", "url", "uploaded_at"]),
  ...prefixed("notifications.", [
    "beers",
    "game_servers",
    "calendar",
    "party",
    "sound",
    "quiet_hours.from",
    "quiet_hours.until",
  ]),
  "taps_taken_back[].key",
  ...prefixed("milestones[].", ["kind", "count", "at"]),
  "calendar_doors_opened[].date",
  "calendar_doors_opened[].opened_at",
  ...prefixed("calendar_doors_filled[].", ["date", "picture", "text", "is_hidden"]),
  ...prefixed("beers[].", ["at", "booked_at", "key"]),
];

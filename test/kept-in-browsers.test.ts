import { expect, test } from "vitest";

import { groupConfig } from "#contract/group-config.ts";
import { user } from "#contract/members.ts";

// Data as an earlier version stored it in browsers. Never change it, even if the schemas get new
// fields.
const keptUser = {
  id: 1,
  uname: "anna",
  name: "Anna",
  email: "anna@stammtisch.example",
  permissions: ["admin"],
  avatarId: null,
  profile_picture: null,
};
const keptGroup = {
  group_name: "Stammtisch",
  group_short: "KSK",
  time_zone: "Europe/Berlin",
  legal_links: [],
  height_requested_by: "einem Mitglied",
  vapid_public_key: null,
  mail: true,
  realtime: { key: "stammtisch", cluster: "eu", wsHost: null, wsPort: null, wssPort: null, forceTLS: false },
};

test.each([
  ["member", user, keptUser],
  ["group", groupConfig, keptGroup],
] as const)(
  "an updated page still accepts the data of the %s that an earlier version stored in the browser",
  (_, schema, kept) => {
    expect(schema.safeParse(kept).error?.issues, "make new fields optional").toBeUndefined();
  },
);

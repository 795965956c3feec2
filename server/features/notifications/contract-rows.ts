import { type ContractRows, members, prefixed } from "#test/contract-row.ts";
import { fixtures } from "#test/fixtures.ts";

const settings = ["beers", "game_servers", "calendar", "party", "sound", "quiet_hours.from", "quiet_hours.until"];

export const contractRows = {
  "POST /api/push": {
    statuses: members(201),
    body: () => ({ pushSubscription: fixtures.pushSubscription }),
    fields: ["message"],
  },
  "GET /api/push/devices": {
    statuses: members(200, "GET"),
    fields: prefixed("[].", ["id", "device", "since", "last_success_at", "current"]),
  },
  "DELETE /api/push/devices/:id": { statuses: members(404), path: "/api/push/devices/999999", fields: [] },
  "POST /api/push/test": { statuses: members(200), fields: ["[].device", "[].result"] },
  "GET /api/push/settings": {
    statuses: members(200, "GET"),
    fields: [...settings, "is_wanted_here"],
  },
  "POST /api/push/settings": {
    statuses: members(200),
    body: () => ({
      beers: true,
      game_servers: true,
      calendar: true,
      party: true,
      sound: false,
      quiet_hours: { from: "23:00", until: "08:00" },
    }),
    fields: settings,
  },
} satisfies ContractRows;

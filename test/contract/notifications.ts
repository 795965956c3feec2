import type { ExampleCalls } from "#test/example-call.ts";
import { fixtures } from "#test/fixtures.ts";

export const exampleCalls = {
  "POST /api/push": {
    body: () => ({ pushSubscription: fixtures.pushSubscription }),
  },
  "DELETE /api/push/devices/:id": { status: 404, path: "/api/push/devices/999999" },
  "POST /api/push/settings": {
    body: () => ({
      beers: true,
      game_servers: true,
      calendar: true,
      party: true,
      sound: false,
      quiet_hours: { from: "23:00", until: "08:00" },
    }),
  },
} satisfies ExampleCalls;

import { guestTokenDays } from "#contract/guest-device.ts";
import type { Job } from "#server/platform/feature.ts";
import { days, hours, minutes } from "#server/time.ts";
import * as store from "./guest-store.ts";
import { askForPhotos } from "./photo-actions.ts";
import { tellEnds } from "./story-actions.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete the names of guests of parties that are over",
    atStart: true,
    interval: minutes(1),
    run: ({ db, clock }) => store.deleteNames(db, clock.now()),
  },
  {
    name: "forget the devices of guests whose time to become members is over",
    interval: hours(1),
    run: ({ db, clock }) => store.forgetDevices(db, clock.now() - days(guestTokenDays)),
  },
  { name: "tell members that a party is over", atStart: true, interval: minutes(1), run: tellEnds },
  { name: "ask for photos in the busiest hour of parties", interval: minutes(5), run: askForPhotos },
];

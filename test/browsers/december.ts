import { createFakeClock } from "#test/faults/fake-clock.ts";

const beforeMidnight = "2026-11-30T22:59:59Z";

/** The clock of the servers below. The tests of a worker run one after another, and each one sets it. */
export const clock = await createFakeClock(beforeMidnight);
clock.stopAt(beforeMidnight);

/** A server with the demo data of a group on the evening before December. */
export const december = {
  withDemo: true,
  env: { ...clock.env, TZ: "UTC" },
} as const;

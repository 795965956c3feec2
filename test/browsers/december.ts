import { createFakeClock } from "#test/faults/fake-clock.ts";

/** The clock of the servers in December, which each test sets first. */
export const clock = await createFakeClock("2026-12-24T17:00:00Z");

/** A server with demo data and the clock above. */
export const december = {
  withDemo: true,
  env: { ...clock.env, TZ: "UTC", HEIGHT_REQUESTED_BY: "Opa Karl", RATE_LIMIT_FACTOR: "100" },
} as const;

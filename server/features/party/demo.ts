import { addDays, weekdayOf } from "#server/features/beercounter/rules.ts";
import type { DemoSeed } from "#server/platform/demo-seed.ts";
import { hours, toIso } from "#server/time.ts";
import { createMember, createParty } from "./store.ts";

/** The evening of the last Saturday before this week, with everybody but Greta and Hannes. */
export const seedDemo: DemoSeed = async ({ db, clock, members }) => {
  const today = toIso(clock.now()).slice(0, 10);
  const saturday = addDays(today, -weekdayOf(today) - 2);
  const starts_at = Date.parse(`${saturday}T16:00:00Z`);
  const ben = members.find(({ uname }) => uname === "ben")!;
  const party = { name: "Grillen bei Ben", created_by: ben.id, starts_at, ends_at: starts_at + hours(7) };
  const id = await createParty(db, party);
  for (const member of members.slice(0, 6)) await createMember(db, id, member.id);
};

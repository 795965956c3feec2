import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnMilestones } from "./milestone-store.ts";
import { listOwnUndoneBeers, paginateBeers } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const undone = await listOwnUndoneBeers(db, id);
  const milestones = await listOwnMilestones(db, id);
  async function* beers() {
    for await (const rows of paginateBeers(db, id))
      yield rows.map(({ at, booked_at, key, kind }) => ({
        at: toIso(at),
        booked_at: toIso(booked_at),
        key,
        ...(kind && { kind }),
      }));
  }
  return {
    taps_taken_back: undone.map(({ key }) => ({ key })),
    milestones: milestones.map(({ at, ...milestone }) => ({ ...milestone, at: toIso(at) })),
    beers: beers(),
  };
};

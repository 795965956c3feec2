import { maxId } from "#server/db/paginate.ts";
import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import * as milestoneStore from "./milestone-store.ts";
import { describeOrigin } from "./rules.ts";
import * as store from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const undone = await store.listOwnUndoneBeers(db, id);
  const milestones = await milestoneStore.listOwnMilestones(db, id);
  async function* beers() {
    for await (const rows of store.paginateBeers(db, id))
      yield rows.map(({ at, booked_at, key, kind, ...origin }) => ({
        at: toIso(at),
        booked_at: toIso(booked_at),
        key,
        ...(kind && { kind }),
        booked_by: describeOrigin(origin) ?? undefined,
      }));
  }
  return {
    beers_for_others: (await store.listBeersForOthers(db, id, 0, maxId)).map(({ at, drinker }) => ({
      at: toIso(at),
      member: drinker,
    })),
    taps_taken_back: undone.map(({ key }) => ({ key })),
    milestones: milestones.map(({ at, ...milestone }) => ({ ...milestone, at: toIso(at) })),
    beers: beers(),
  };
};

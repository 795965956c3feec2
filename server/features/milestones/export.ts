import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnMilestones } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const milestones = await listOwnMilestones(db, id);
  return { milestones: milestones.map(({ at, ...milestone }) => ({ ...milestone, at: toIso(at) })) };
};

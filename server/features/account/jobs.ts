import type { Job } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { deletePersonalRows } from "./actions.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete what was written while its account was being deleted",
    interval: hours(1),
    run: ({ db, tables }) => deletePersonalRows(db, tables),
  },
];

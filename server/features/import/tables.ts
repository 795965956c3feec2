import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Imports whose beers are not all booked yet. */
    imports: {
      id: Generated<number>;
      /** `null` for the command line. */
      actor_id: number | null;
      /** 1 when all beers are in `import_chunks`. From then on, the import will be booked, also after a restart. */
      is_complete: number;
      booked: number;
      /** Last change by the process that runs the import. */
      touched_at: number;
    };
    /** Beers that are still to be booked. */
    import_chunks: {
      id: Generated<number>;
      import_id: number;
      /** JSON of `Tap[]`. */
      taps: string;
    };
  }
}

export const tables = {
  imports: {
    backup: "included",
    times: { touched_at: { ahead: 0, otherwise: "now" } },
    memberColumns: { actor_id: { onAccountDeletion: "keep", exportedAs: null } },
  },
  import_chunks: { backup: "included" },
} satisfies TablePolicies;

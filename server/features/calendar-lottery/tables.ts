import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /**
     * Dealings (runs of the lottery), and at most one preview per year. `seed` and `inputs` determine
     * the dealt doors (rules.ts).
     */
    calendar_dealings: {
      id: Generated<number>;
      year: number;
      /** 128 random bits, in hexadecimal. */
      seed: string;
      /** `DealingInputs` as JSON. */
      inputs: string;
      /** `left`: a member was disabled or has deleted the account; `null`: an administrator started the dealing. */
      reason: "left" | null;
      /** Epoch ms of the dealing; `null` for a preview. */
      dealt_at: number | null;
      /** 0 while administrators must be told of a dealing that none of them started, otherwise 1. */
      is_announced: Generated<number>;
    };
    /** Offers to swap the door of `date`. An offer is open while that door is unchanged (`listOpenSwaps`). */
    calendar_swaps: {
      id: Generated<number>;
      date: string;
      from_id: number;
      to_id: number;
      /** Id of the picture behind the door at the time of the offer; `null` if the door was empty. */
      picture_id: string | null;
    };
  }
}

export const tables = {
  calendar_dealings: { backup: "included" },
  calendar_swaps: {
    backup: "excluded",
    memberColumns: {
      from_id: { onAccountDeletion: "delete", exportedAs: "calendar_swaps" },
      to_id: { onAccountDeletion: "delete", exportedAs: "calendar_swaps" },
    },
  },
} satisfies TablePolicies;

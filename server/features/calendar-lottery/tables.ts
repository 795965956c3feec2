import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** Dealings, and per year at most one preview. The doors follow from `seed` and `inputs` (rules.ts). */
    calendar_dealings: {
      id: Generated<number>;
      year: number;
      /** 128 random bits, in hexadecimal. */
      seed: string;
      /** `DealingInputs` in JSON. */
      inputs: string;
      /** `left`: a member was disabled or has deleted the account; `null`: an administrator wanted it. */
      reason: "left" | null;
      /** `null`: a preview. */
      dealt_at: number | null;
      /** 1 once administrators were told of a dealing that none of them started. */
      is_announced: Generated<number>;
    };
    /** Offers to swap the door of `date`. One is open as long as nothing about that door has changed (`listOpenSwaps`). */
    calendar_swaps: {
      id: Generated<number>;
      date: string;
      from_id: number;
      to_id: number;
      /** The picture behind the door when it was offered. */
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

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/tables.ts";

/** What happens to the rows of a table outside of its feature. */
export interface TablePolicy {
  /** Excluded is what belongs to one machine or one moment: a restored backup must not revive logins, links or mails. */
  readonly backup: "included" | "excluded";
  /** Runs at the end of a restore, in its transaction. */
  readonly onRestore?: (tx: Db, now: number) => Promise<unknown>;
  /** Every column that refers to a member. */
  readonly memberColumns?: Readonly<Record<string, MemberColumnPolicy>>;
}

export interface MemberColumnPolicy {
  /** "keep": the rows stay and refer to an empty account. "by-feature": the deletion of accounts has code of its own for them. */
  readonly onAccountDeletion: "delete" | "keep" | "by-feature";
  /** The field of a member's export that shows the rows; null where they tell nothing about the member. */
  readonly exportedAs: string | null;
}

export type TablePolicies = { readonly [Table in keyof Tables]?: TablePolicy } & Readonly<Record<string, TablePolicy>>;

/** The tables that belong to no feature. */
export const platformTables = {
  settings: { backup: "included" },
  audit: {
    backup: "included",
    memberColumns: {
      actor_id: { onAccountDeletion: "keep", exportedAs: "audit" },
      member_id: { onAccountDeletion: "keep", exportedAs: "audit" },
    },
  },
  mails: { backup: "excluded" },
} satisfies TablePolicies;

/** Tables that a migration has dropped, also those of removed features: backups of earlier versions hold them and still restore. */
export const formerTables: Readonly<Record<string, TablePolicy>> = {
  beer_days: { backup: "included" },
  beer_weekdays: { backup: "included" },
};

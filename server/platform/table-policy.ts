import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/schema.ts";

/** Rules for a table's rows outside its feature. */
export interface TablePolicy {
  /** "excluded" for data of one machine or of short life: a restored backup must not revive logins, links or mails. */
  readonly backup: "included" | "excluded";
  /** Runs at the end of a restore, within its transaction. */
  readonly onRestore?: (tx: Db, now: number) => Promise<unknown>;
  /** Policies of all columns that refer to a member. */
  readonly memberColumns?: Readonly<Record<string, MemberColumnPolicy>>;
}

export interface MemberColumnPolicy {
  /** "keep": the rows are kept and refer to an empty account. "by-feature": the account deletion has special code for them. */
  readonly onAccountDeletion: "delete" | "keep" | "by-feature";
  /** The field of a member's export that contains the rows; `null` if they say nothing about the member. */
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

/** Tables that migrations have dropped. Backups of earlier versions contain them and must still restore. */
export const formerTables: Readonly<Record<string, TablePolicy>> = {
  beer_days: { backup: "included" },
  beer_weekdays: { backup: "included" },
};

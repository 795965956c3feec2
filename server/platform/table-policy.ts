import type { Db } from "#server/db/connect.ts";
import type { TimePolicy } from "#server/db/future-times.ts";
import type { Tables } from "#server/db/schema.ts";
import { days } from "#server/time.ts";
import { longestClaim, longestRetryDelay } from "./outbox/outbox.ts";

/** For backups, data exports and account deletion. */
export interface TablePolicy {
  /**
   * "excluded" for data that are short-lived or belong to one computer: a restored backup must not revive logins, links
   * or mails.
   */
  readonly backup: "included" | "excluded";
  /** The rows contain passwords or tokens of other services. */
  readonly hasSecrets?: true;
  /** Runs at the end of a restore, within its transaction. */
  readonly onRestore?: (tx: Db, now: number) => Promise<unknown>;
  /** All times that are compared with now, not only shown. */
  readonly times?: Readonly<Record<string, TimePolicy>>;
  /** All columns that refer to a member. */
  readonly memberColumns?: Readonly<Record<string, MemberColumnPolicy>>;
}

export interface MemberColumnPolicy {
  /**
   * "keep": the rows refer to an account without personal data. "by-feature": the feature's account deletion handles
   * them.
   */
  readonly onAccountDeletion: "delete" | "keep" | "by-feature";
  /** Field of a member's data export; `null` if the rows contain nothing about the member. */
  readonly exportedAs: string | null;
}

export type TablePolicies = { readonly [Table in keyof Tables]?: TablePolicy } & Readonly<Record<string, TablePolicy>>;

/** Tables that belong to no feature. */
export const platformTables = {
  settings: { backup: "included" },
  audit: {
    backup: "included",
    memberColumns: {
      actor_id: { onAccountDeletion: "keep", exportedAs: "audit" },
      member_id: { onAccountDeletion: "keep", exportedAs: "audit" },
    },
  },
  login_attempts: { backup: "excluded", times: { resets_at: { ahead: days(1), isMonotonic: true } } },
  leases: { backup: "excluded" },
  outbox: {
    backup: "excluded",
    times: {
      created_at: { ahead: 0, otherwise: "now" },
      due_at: { ahead: longestRetryDelay },
      expires_at: { ahead: days(1) },
      claimed_until: { ahead: longestClaim, otherwise: null },
    },
  },
  bus_messages: { backup: "excluded" },
  socket_ends: { backup: "excluded" },
} satisfies TablePolicies;

/**
 * Tables that only earlier versions use: instances of the previous release may still fill the queues, and backups of
 * earlier versions contain the others.
 */
export const formerTables: Readonly<Record<string, TablePolicy>> = {
  mails: { backup: "excluded" },
  queued_pushes: { backup: "excluded" },
  kept_pushes: { backup: "excluded" },
  webhook_deliveries: { backup: "excluded" },
  beer_days: { backup: "included" },
  beer_weekdays: { backup: "included" },
};

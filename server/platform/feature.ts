import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/connect.ts";
import type { Command, CommandWithoutDatabase } from "./command.ts";
import type { AccountExport, Context } from "./context.ts";
import type { DemoSeed } from "./demo-seed.ts";
import type { RealtimeChannel } from "./realtime/options.ts";
import type { TablePolicies } from "./table-policy.ts";

export interface Feature {
  /** Name of the feature's folder. */
  readonly name: string;
  readonly routes?: readonly ((context: Context) => void)[];
  /** Policies for backups, exports and account deletion, by table. */
  readonly tables?: TablePolicies;
  readonly channels?: (context: ChannelContext) => readonly RealtimeChannel[];
  readonly jobs?: readonly Job[];
  readonly commands?: readonly (Command | CommandWithoutDatabase)[];
  /** The feature's fields of a member's data export. */
  readonly accountExport?: AccountExport;
  readonly seedDemo?: DemoSeed;
  /** Runs after the migrations and before the server accepts requests. */
  readonly onUpgrade?: (database: Database, config: Config) => Promise<void>;
  /** Runs once the server listens. */
  readonly onListen?: (context: Context) => Promise<void>;
}

/** Declares a feature; server/features.ts lists all of them. */
export function feature(declaration: Feature): Feature {
  return declaration;
}

export type ChannelContext = Pick<Context, "db" | "clock" | "config" | "findPartyNumbers">;

/** A task that the server runs at its start, periodically, or both. */
export interface Job {
  readonly name: string;
  readonly atStart?: true;
  /**
   * Every instance runs the job, because it works on the instance's own files or the instances share its work. All
   * other jobs run on one instance only.
   */
  readonly isEverywhere?: true;
  /** Milliseconds; absent if the job does not repeat. */
  readonly interval?: number;
  run(context: Context): void | Promise<void>;
}

import type { Config } from "#server/config.ts";
import type { Database, Db } from "#server/db/connect.ts";
import type { Command, CommandWithoutDatabase } from "./command.ts";
import type { AccountExport, Context } from "./context.ts";
import type { DemoSeed } from "./demo-seed.ts";
import type { Member } from "./http/member.ts";
import type { RealtimeChannel } from "./realtime/options.ts";
import type { TablePolicies } from "./table-policy.ts";

/** Everything a feature adds to the server. Each property is an export of a file in its folder (server/features.ts). */
export interface Feature {
  /** Binds the endpoints. */
  readonly addRoutes?: (context: Context) => void;
  /** What a backup, an export and the deletion of an account do with each table. */
  readonly tables?: TablePolicies;
  readonly channels?: (db: Db) => readonly RealtimeChannel[];
  readonly jobs?: readonly Job[];
  readonly commands?: readonly (Command | CommandWithoutDatabase)[];
  /** What a member's browser keeps of the feature between visits, by name (web/platform/user-storage.ts). */
  readonly userItems?: (context: UserItemContext, member: Member) => Promise<Record<string, unknown>>;
  /** The fields that the feature adds to a member's export. */
  readonly accountExport?: AccountExport;
  readonly seedDemo?: DemoSeed;
  /** Runs before the server serves, after the database is up to date. */
  readonly onUpgrade?: (database: Database, config: Config) => Promise<void>;
  /** Runs as soon as the server listens. */
  readonly onListen?: (context: Context) => Promise<void>;
  /** Runs when the server stops, after the last request. */
  readonly onClose?: (context: Context) => Promise<void>;
}

export type UserItemContext = Pick<Context, "db" | "clock" | "config">;

/** Work that the server does by itself. */
export interface Job {
  readonly name: string;
  /** Runs once when the server starts. */
  readonly atStart?: true;
  /** Runs again and again, in milliseconds. */
  readonly interval?: number;
  run(context: Context): void | Promise<void>;
}

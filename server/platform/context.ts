import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/connect.ts";
import type { Clock } from "./clock.ts";
import type { Group } from "./group.ts";
import type { HttpServer } from "./http/http-server.ts";
import type { Member } from "./http/member.ts";
import type { Log } from "./log.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Push } from "./push/push.ts";
import type { Bus } from "./realtime/bus.ts";
import type { Realtime } from "./realtime/realtime.ts";
import type { Secrets } from "./secrets.ts";
import type { TablePolicies } from "./table-policy.ts";

/** What every feature works with. */
export interface Context extends TestDoubles {
  readonly config: Config;
  readonly database: Database;
  readonly db: Database["db"];
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly http: HttpServer;
  readonly bus: Bus;
  readonly realtime: Realtime;
  readonly mailer: Mailer;
  readonly push: Push;
  readonly group: Group;
  /** What a backup, an export and the deletion of an account do with each table. */
  readonly tables: TablePolicies;
  /** What each feature adds to a member's export. */
  readonly accountExports: readonly AccountExport[];
}

/** What tests put in the place of engines and waiting times. A feature adds its own. */
export interface TestDoubles {}

/** Fields of a member's export. An async iterable of pages becomes a list that is written while it is read. */
export type AccountExport = (context: Context, member: Member) => Promise<Readonly<Record<string, unknown>>>;

import type { Config } from "#server/config.ts";
import type { Database } from "#server/db/connect.ts";
import type { Clock } from "./clock.ts";
import type { Group } from "./group.ts";
import type { HttpServer } from "./http/http-server.ts";
import type { Log } from "./log.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Push } from "./push/push.ts";
import type { Bus } from "./realtime/bus.ts";
import type { Realtime } from "./realtime/embedded.ts";
import type { Secrets } from "./secrets.ts";

/** What every feature stands on. */
export interface Context {
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
}

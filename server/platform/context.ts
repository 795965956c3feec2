import type { PartyNumbers } from "#contract/beercounter.ts";
import type { Config } from "#server/config.ts";
import type { Database, Db } from "#server/db/connect.ts";
import type { Actor } from "./audit/store.ts";
import type { Clock } from "./clock.ts";
import type { Group } from "./group.ts";
import type { HttpServer } from "./http/http-server.ts";
import type { Member } from "./http/member.ts";
import type { Leases } from "./leases/leases.ts";
import type { Log } from "./log.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { Push } from "./push/push.ts";
import type { Bus } from "./realtime/bus.ts";
import type { Realtime } from "./realtime/realtime.ts";
import type { Say } from "./say.ts";
import type { HashCost } from "./security/passwords.ts";
import type { RotatableSecrets } from "./security/rotatable-secrets.ts";
import type { Secrets } from "./security/secrets.ts";
import type { TablePolicies } from "./table-policy.ts";

/** Configuration, connections and shared services that every feature receives. */
export interface Context extends TestDoubles {
  readonly config: Config;
  readonly database: Database;
  readonly db: Database["db"];
  readonly clock: Clock;
  readonly log: Log;
  /** Aborted when the server begins to stop, so that long work ends. */
  readonly stopping: AbortSignal;
  readonly secrets: Secrets;
  readonly rotatableSecrets: RotatableSecrets;
  readonly http: HttpServer;
  readonly bus: Bus;
  readonly leases: Leases;
  readonly realtime: Realtime;
  readonly outbox: Outbox;
  readonly push: Push;
  /** Creates the functions that tell others of a change in the transaction `tx`; see `change`. */
  readonly say: (tx: Db, by: Actor) => Say;
  /**
   * Numbers of all running parties, with the new numbers of these members. For events about beers of members in the
   * ranking.
   */
  readonly findPartyNumbers: (db: Db, memberIds: readonly number[]) => Promise<PartyNumbers[]>;
  readonly group: Group;
  /** Policies for backups, exports and account deletion, by table. */
  readonly tables: TablePolicies;
  /** Functions of the features that add fields to a member's data export. */
  readonly accountExports: readonly AccountExport[];
}

/** Replacements for slow or external parts in tests; features extend this interface. */
export interface TestDoubles {
  readonly hashCost?: HashCost;
}

/** Fields of a member's data export. A list may be an async iterable of batches, which are streamed. */
export type AccountExport = (context: Context, member: Member) => Promise<Readonly<Record<string, unknown>>>;

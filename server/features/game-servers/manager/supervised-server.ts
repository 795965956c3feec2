import type { Db } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import { errorFields, type Log } from "#server/platform/log.ts";
import type { Driver, Observation, Target } from "../drivers/driver.ts";
import { deriveStatus, isVisibleChange, type ServerStatus, statusMessage, type SwitchAction } from "../rules.ts";
import { type GameServerRow, statusOf, updateStatus } from "../store.ts";
import { coalesce } from "./coalesce.ts";
import { createCrashLoopDetector } from "./notification-throttle.ts";
import { type Timings, within } from "./timings.ts";

/** Who changes something; null: nobody, it happens by itself. */
export type ChangedBy = { readonly id: number; readonly avatarId: string | null } | null;

/** What the servers in our care stand on. */
export interface SupervisionContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly timings: Timings;
  /** Ends when another instance looks after them. */
  readonly term: AbortSignal;
  /** Says to every page that there is something new, and what. */
  tell(serverId: number, message: string, by: ChangedBy): void;
  /** What may be said of an engine that comes or goes: empty where it has been said. */
  tellOutage(message: string): string;
  /** Whether somebody has the page open. */
  isWatched(): boolean;
}

/** One server in our care: what was seen of it last, and what is known because of that. */
export interface SupervisedServer {
  readonly row: GameServerRow;
  readonly driver: Driver;
  readonly target: Target;
  readonly known: ServerStatus;
  readonly seen: Observation;
  /** Milliseconds since it was seen last. */
  age(): number;
  /** Looks again. However many ask meanwhile, there is one look under way and one more to come. */
  refresh(): Promise<void>;
  /** Thinks again about what was seen, because something else changed. */
  reconsider(): Promise<void>;
  /** What was wanted last; kept in step with the row. */
  wish: { wanted: SwitchAction | null; by: number | null; at: number | null };
  /** Our change under way. */
  change: Change | null;
  /** Whether the game answered in this run; null: it is not asked. */
  hasAnswered: boolean | null;
  /** The administrator changed something. */
  adopt(row: GameServerRow): void;
}

export interface Change {
  wanted: SwitchAction;
  /** Somebody wants it stopped as soon as it has started. */
  isStopDue: boolean;
}

const unreachable: Observation = { kind: "unreachable" };

export function createSupervisedServer(
  first: GameServerRow,
  driver: Driver,
  context: SupervisionContext,
): SupervisedServer {
  const { db, clock, log, timings, term } = context;
  let row = first;
  let known = statusOf(first);
  let seen: Observation = unreachable;
  let seenAt = -Infinity;
  /** A change that another instance left behind, or has not brought to its end. */
  let inherited = inheritance(first);
  let noting = Promise.resolve();
  const isCrashLoop = createCrashLoopDetector(clock);

  const server: SupervisedServer = {
    get row() {
      return row;
    },
    driver,
    get target() {
      return { id: row.id, ref: row.ref, graceSeconds: row.grace_seconds };
    },
    get known() {
      return known;
    },
    get seen() {
      return seen;
    },
    age: () => performance.now() - seenAt,
    refresh: coalesce(look),
    reconsider,
    wish: { wanted: first.wanted as SwitchAction | null, by: first.changed_by, at: first.changed_at },
    change: null,
    hasAnswered: isQueryable(first) ? false : null,
    adopt(changed) {
      row = changed;
      server.hasAnswered = isQueryable(changed) ? (server.hasAnswered ?? false) : null;
      inherited &&= inheritance(changed);
    },
  };
  return server;

  function inheritance({ changing, changing_until }: GameServerRow): SwitchAction | null {
    return changing_until > clock.now() ? (changing as SwitchAction | null) : null;
  }

  async function look(): Promise<void> {
    // Drivers promise to answer in time; a page must not depend on that.
    const inspected = driver.inspect(server.target).catch(() => unreachable);
    seen = await within(timings.inspectWithin, inspected, unreachable);
    seenAt = performance.now();
    await reconsider();
  }

  /** One after the other, so that each compares with what the one before wrote. */
  function reconsider(): Promise<void> {
    noting = noting.then(note).catch((error: unknown) => {
      // Nothing is taken for known that is not written down; the next look tries again.
      log.warn("game-server-not-noted", { server: row.id, ...errorFields(error) });
    });
    return noting;
  }

  async function note(): Promise<void> {
    if (seenAt === -Infinity || term.aborted) return;
    const before = known;
    const after = deriveStatus(before, seen, {
      wanted: server.wish.wanted,
      wantedAt: server.wish.at,
      changing: server.change?.wanted ?? inherited,
      hasAnswered: server.hasAnswered,
      now: clock.now(),
    });
    const isSame =
      after.phase === before.phase &&
      after.word === before.word &&
      after.isAlive === before.isAlive &&
      after.runSince === before.runSince;
    if (isSame) return;
    if (!(await updateStatus(db, row.id, after))) return;
    known = after;
    if (isQueryable(row) && after.runSince !== before.runSince) server.hasAnswered = false;
    if (!isVisibleChange(before, after)) return;
    const message = newsOf(before, after);
    // What a member changes is told in the member's name.
    if (message !== "" || !server.change) context.tell(row.id, message, null);
  }

  function newsOf(before: ServerStatus, after: ServerStatus): string {
    const isLooping = isCrashLoop(after);
    const message = statusMessage(row.display_name, before, after);
    if (after.phase === "unreachable" || before.phase === "unreachable") return context.tellOutage(message);
    return isLooping ? "" : message;
  }
}

/** Whether the game itself can be asked. */
export function isQueryable({ query, address }: GameServerRow): boolean {
  return query !== "none" && address !== null;
}

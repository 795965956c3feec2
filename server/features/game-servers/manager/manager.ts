import { gameServersUpdated } from "#contract/game-servers.ts";
import { notifyMembers } from "#server/features/notifications/actions.ts";
import { errorFields } from "#server/platform/log.ts";
import type { Context } from "#server/platform/context.ts";
import type { Driver } from "../drivers/driver.ts";
import type { DriverKind, Drivers } from "../drivers/create-drivers.ts";
import type { SwitchAction } from "../rules.ts";
import { type GameServerRow, listGameServers } from "../store.ts";
import { coalesce } from "./coalesce.ts";
import { type PlayerTracker, createPlayerTracker } from "./player-tracker.ts";
import {
  type ChangedBy,
  type SupervisionContext,
  createSupervisedServer,
  type SupervisedServer,
} from "./supervised-server.ts";
import { createRemoteTasks, type Task } from "./remote-tasks.ts";
import { type Outcome, switchServer } from "./switching.ts";
import { createOutageThrottle } from "./notification-throttle.ts";
import { type Timings, defaultTimings, within } from "./timings.ts";

/** Looks after the game servers: on one instance at a time, whichever is asked. */
export interface Manager {
  /** Null: no instance answered in time. */
  switch(serverId: number, wanted: SwitchAction, by: ChangedBy): Promise<Outcome | null>;
  keepRunning(serverId: number): Promise<void>;
  /** Somebody opens the page: looks again where that is worth it, for a moment only. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Any fixed number; PostgreSQL knows the post by it. */
const leaderLockId = 5_103_001;

export function createManager(context: Context, drivers: Drivers, timings: Timings = defaultTimings): Manager {
  const { db, database, bus, clock, log, realtime } = context;
  const tellOutage = createOutageThrottle(clock);
  let openedAt = -Infinity;
  let inCare: Care | null = null;
  let taken = Promise.withResolvers<void>();

  const held = database.acquireLeaderLock(leaderLockId, (term) => {
    const care = takeCare({
      ...{ db, clock, log, timings, term, tellOutage },
      tell(serverId, message, by) {
        realtime.publish(gameServersUpdated.name, gameServersUpdated.channel, {
          userId: by?.id ?? null,
          serverId,
          message,
          avatarId: by?.avatarId ?? null,
        });
        if (message !== "") notifyMembers(context, { kind: "game_servers", senderId: by?.id ?? null, body: message });
      },
      isWatched: () => performance.now() - openedAt < timings.watched,
    });
    inCare = care;
    taken.resolve();
    term.addEventListener("abort", () => {
      inCare = null;
      taken = Promise.withResolvers();
    });
  });
  const remote = createRemoteTasks(bus, perform);
  const catchUp = (): void => void inCare?.sync();
  bus.onGap(catchUp);
  bus.onMessage(({ kind }) => {
    if (kind === "resync") catchUp();
  });

  function perform(task: Task): Promise<Outcome> | null {
    const care = inCare;
    if (!care) return null;
    if (task.do === "switch") return care.switch(task.serverId, task.wanted, task.by);
    if (task.do === "keep") return care.keepRunning(task.serverId);
    openedAt = performance.now();
    return care.open().then(() => "running");
  }

  async function ask(task: Task): Promise<Outcome | null> {
    await held.known;
    const own = perform(task);
    if (own) return own;
    let isAnswered = false;
    const asked = remote.request(task, timings.remote).finally(() => {
      isAnswered = true;
    });
    // Whoever was asked may have died, and we may be the next; but never take up what was answered long ago.
    const succeeded = taken.promise.then(() => (isAnswered ? null : perform(task)));
    return Promise.race([asked, succeeded]);
  }

  /** What runs on a server, and who plays there. */
  function takeCare(ground: SupervisionContext) {
    const kept = new Map<number, { server: SupervisedServer; company: PlayerTracker }>();
    const watched = new Set<string>();
    const busy = new Set<number>();
    let isFirst = true;
    /** Reads what the administrator set up. */
    const sync = coalesce(async () => {
      await readRows().catch((error: unknown) => log.warn("game-servers-not-read", errorFields(error)));
    });
    const first = sync();
    const timer = setInterval(() => void beat(), timings.beat);
    timer.unref();
    ground.term.addEventListener("abort", () => clearInterval(timer));

    async function readRows(): Promise<void> {
      const rows = await listGameServers(db);
      if (ground.term.aborted) return;
      for (const id of kept.keys()) {
        if (rows.some((row) => row.id === id)) continue;
        kept.delete(id);
        ground.tell(id, "", null);
      }
      for (const row of rows) {
        const known = kept.get(row.id);
        if (known && isSameProgram(known.server.row, row)) known.server.adopt(row);
        else begin(known ? { ...row, phase: "unknown" } : row);
      }
      isFirst = false;
    }

    function begin(row: GameServerRow): void {
      const driver = drivers[row.driver as DriverKind];
      if (!driver) return;
      const server = createSupervisedServer(row, driver, ground);
      kept.set(row.id, { server, company: createPlayerTracker(server, ground) });
      watch(row.driver, driver);
      void server.refresh();
      if (!isFirst) ground.tell(row.id, "", null);
    }

    function watch(kind: string, driver: Driver): void {
      if (watched.has(kind)) return;
      watched.add(kind);
      const ours = () => [...kept.values()].map(({ server }) => server).filter(({ row }) => row.driver === kind);
      driver.watch(
        () => ours().map(({ target }) => target),
        (ids) => {
          for (const server of ours()) if (ids === "all" || ids.includes(server.row.id)) void server.refresh();
        },
        ground.term,
      );
    }

    async function beat(): Promise<void> {
      await sync();
      if (!ground.term.aborted) await Promise.all([...kept.values()].map(think));
    }

    async function think({ server, company }: { server: SupervisedServer; company: PlayerTracker }): Promise<void> {
      // A slow engine gets no second thought before the first one is over.
      if (busy.has(server.row.id)) return;
      busy.add(server.row.id);
      try {
        if (server.age() >= patience(server)) await server.refresh();
        const { phase } = server.known;
        const isWorth = ground.isWatched() || server.row.idle_stop_minutes !== null;
        // Who played when somebody last looked is no news of now.
        if (phase !== "starting" && !(phase === "running" && isWorth)) return await company.leave();
        if (company.age() >= (phase === "starting" ? timings.unreachable : timings.count)) await company.count();
        if (!company.isStopDue() || server.change) return;
        // Somebody may have come a moment ago.
        await company.count();
        if (company.isStopDue()) await switchServer(server, "stop", null, ground);
      } catch (error) {
        log.warn("game-server-not-looked-after", { server: server.row.id, ...errorFields(error) });
      } finally {
        busy.delete(server.row.id);
      }
    }

    function patience({ known: { phase } }: SupervisedServer): number {
      if (phase === "unreachable") return timings.unreachable;
      return ["unknown", "starting", "stopping", "restarting"].includes(phase) ? timings.unsettled : timings.calm;
    }

    async function find(id: number): Promise<{ server: SupervisedServer; company: PlayerTracker } | undefined> {
      await first;
      if (!kept.has(id)) await sync();
      return kept.get(id);
    }

    return {
      sync,
      async switch(id: number, wanted: SwitchAction, by: ChangedBy): Promise<Outcome> {
        const found = await find(id);
        return found ? switchServer(found.server, wanted, by, ground) : "unreachable";
      },
      async keepRunning(id: number): Promise<Outcome> {
        await (await find(id))?.company.keep();
        return "running";
      },
      async open(): Promise<void> {
        const looks = [...kept.values()].flatMap(({ server, company }) => {
          const { phase } = server.known;
          const isStale = server.age() >= timings.opened && phase !== "unreachable";
          const isUncounted = phase === "running" && company.age() >= timings.count;
          return [...(isStale ? [server.refresh()] : []), ...(isUncounted ? [company.count()] : [])];
        });
        await within(timings.openedWait, Promise.allSettled(looks), null);
      },
    };
  }
  type Care = ReturnType<typeof takeCare>;

  return {
    async switch(serverId, wanted, by) {
      return ask({ do: "switch", serverId, wanted, by });
    },
    async keepRunning(serverId) {
      await ask({ do: "keep", serverId });
    },
    async open() {
      if (inCare) await perform({ do: "look" });
      else if (performance.now() - openedAt > timings.opened) {
        openedAt = performance.now();
        remote.notify({ do: "look" });
      }
    },
    close: () => held.release(),
  };
}

/** Under another name, or with another address, it is still the same one. */
function isSameProgram(one: GameServerRow, other: GameServerRow): boolean {
  return one.driver === other.driver && one.ref === other.ref;
}

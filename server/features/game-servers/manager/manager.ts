import { describeChange, gameServersUpdated } from "#contract/game-servers.ts";
import { notifyMembers } from "#server/features/notifications/actions.ts";
import type { Context } from "#server/platform/context.ts";
import type { Drivers } from "../drivers/create-drivers.ts";
import type { SwitchAction } from "../rules.ts";
import { createOutageThrottle } from "./outage-throttle.ts";
import { createRemoteTasks, type Task } from "./remote-tasks.ts";
import type { ChangedBy } from "./supervised-server.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";
import type { SwitchOutcome } from "./switching.ts";
import { defaultTimings, type Timings } from "./timings.ts";

export type Manager = ReturnType<typeof createManager>;

/** In place of one server. */
const wholeList = 0;

/** Any fixed number; PostgreSQL knows the lock by it. */
const leaderLockId = 5_103_001;

/** Access to the game servers from any instance; one instance leads and supervises all of them. */
export function createManager(context: Context, drivers: Drivers, timings: Timings = defaultTimings) {
  const { db, database, bus, clock, log, realtime } = context;
  const throttleOutage = createOutageThrottle(clock);
  let openedAt = -Infinity;
  let supervisor: Supervisor | null = null;
  let becameLeader = Promise.withResolvers<void>();

  function announce(serverId: number, message: string, by: ChangedBy, isFailure = false): void {
    const { id: userId = null, name: userName = null, avatarId = null } = by ?? {};
    const event = { userId, serverId, message, userName, avatarId, is_failure: isFailure };
    realtime.publish(gameServersUpdated.name, gameServersUpdated.channel, event);
    if (message === "") return;
    notifyMembers(context, { kind: "game_servers", senderId: userId, body: describeChange(userName, message) });
  }

  const lock = database.acquireLeaderLock(leaderLockId, (signal) => {
    const isWatched = () => performance.now() - openedAt < timings.watchedMs;
    supervisor = createSupervisor(drivers, { db, clock, log, timings, signal, announce, throttleOutage, isWatched });
    becameLeader.resolve();
    signal.addEventListener("abort", () => {
      supervisor = null;
      becameLeader = Promise.withResolvers();
    });
  });
  const remote = createRemoteTasks(bus, perform);
  bus.onGap(() => {
    void supervisor?.sync();
    // What another instance announced meanwhile is missing on the pages of this one. What a command changed, sync() announces.
    if (bus.reachesOthers) announce(wholeList, "", null);
  });

  /** Null where another instance leads. */
  function perform(task: Task): Promise<SwitchOutcome> | null {
    if (!supervisor) return null;
    switch (task.do) {
      case "switch":
        return supervisor.switch(task.serverId, task.wanted, task.by);
      case "keep":
        return supervisor.keepRunning(task.serverId);
      case "look":
        openedAt = performance.now();
        return supervisor.refreshStale().then(() => "running");
    }
  }

  /** Null: no instance answered in time. */
  async function performAnywhere(task: Task): Promise<SwitchOutcome | null> {
    await lock.known;
    const own = perform(task);
    if (own) return own;
    let isAnswered = false;
    const requested = remote.request(task, timings.remoteMs).finally(() => {
      isAnswered = true;
    });
    // The leader may have died and this instance may follow it; but a task that was answered is never done again.
    const succeeded = becameLeader.promise.then(() => (isAnswered ? null : perform(task)));
    return Promise.race([requested, succeeded]);
  }

  return {
    switch: (serverId: number, action: SwitchAction, by: ChangedBy) =>
      performAnywhere({ do: "switch", serverId, wanted: action, by }),
    keepRunning: (serverId: number) => performAnywhere({ do: "keep", serverId }),
    /** When a page is opened: inspects again what was inspected long ago, and waits a moment for it. */
    async refreshStale(): Promise<void> {
      if (supervisor) await perform({ do: "look" });
      else if (performance.now() - openedAt > timings.pageMs) {
        openedAt = performance.now();
        remote.notify({ do: "look" });
      }
    },
    close: () => lock.release(),
  };
}

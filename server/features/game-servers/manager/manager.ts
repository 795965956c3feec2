import { describeChange, gameServersUpdated } from "#contract/game-servers.ts";
import { afterCommit } from "#server/db/transaction-scope.ts";
import type { Context } from "#server/platform/context.ts";
import type { Drivers } from "../drivers/create-drivers.ts";
import type { SwitchAction } from "../rules.ts";
import { createOutageThrottle } from "./outage-throttle.ts";
import { createRemoteTasks, type Task } from "./remote-tasks.ts";
import type { Announce, RequestedBy } from "./supervised-server.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";
import type { SwitchOutcome } from "./switching.ts";
import { defaultTimings, type Timings } from "./timings.ts";

export type Manager = ReturnType<typeof createManager>;

/** Server id in an event that means all game servers. */
const wholeList = 0;

/**
 * Creates a manager that gives any instance access to the game servers. One elected instance, the
 * leader, supervises all of them.
 */
export function createManager(context: Context, drivers: Drivers, timings: Timings = defaultTimings) {
  const { db, leases, bus, clock, log, realtime } = context;
  const throttleOutage = createOutageThrottle(clock);
  let openedAt = -Infinity;
  let supervisor: Supervisor | null = null;
  let becameLeader = Promise.withResolvers<void>();

  const announce: Announce = async (tx, serverId, message, by, { isFailure = false, failedStartAt = null } = {}) => {
    const { id: userId = null, name: userName = null, avatarId = null } = by ?? {};
    const event = {
      userId,
      serverId,
      message,
      userName,
      avatarId,
      is_failure: isFailure,
      failed_start_at: failedStartAt,
    };
    await realtime.publish(tx, gameServersUpdated.name, gameServersUpdated.channel, event);
    if (message === "") return;
    await context.sendWebhooks(tx, { event: "game-server", message, userId });
    await afterCommit(tx, () =>
      context.notifyMembers({ kind: "game_servers", senderId: userId, body: describeChange(userName, message) }),
    );
  };

  const lease = leases.acquire("game-servers", (signal) => {
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
    // Makes all pages refetch, because they may have missed announcements of other instances.
    // `sync` announces changes that commands have made.
    if (bus.reachesOthers) announce(db, wholeList, "", null).catch(() => {});
  });

  /** Performs a task if this instance is the leader; returns `null` if another instance leads. */
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

  /**
   * Performs a task on the leader, which may be this instance; resolves to `null` if no instance
   * answered in time.
   */
  async function performAnywhere(task: Task): Promise<SwitchOutcome | null> {
    await lease.known;
    const own = perform(task);
    if (own) return own;
    let isAnswered = false;
    const requested = remote.request(task, timings.remoteMs).finally(() => {
      isAnswered = true;
    });
    // This instance may become the leader after the previous one has died. An answered task is
    // never repeated.
    const succeeded = becameLeader.promise.then(() => (isAnswered ? null : perform(task)));
    return Promise.race([requested, succeeded]);
  }

  return {
    switch: (serverId: number, action: SwitchAction, by: RequestedBy) =>
      performAnywhere({ do: "switch", serverId, wanted: action, by }),
    keepRunning: (serverId: number) => performAnywhere({ do: "keep", serverId }),
    /**
     * Inspects game servers with a stale state and waits briefly for the result; called when a page
     * opens.
     */
    async refreshStale(): Promise<void> {
      if (supervisor) await perform({ do: "look" });
      else if (performance.now() - openedAt > timings.pageMs) {
        openedAt = performance.now();
        remote.notify({ do: "look" });
      }
    },
    close: () => lease.release(),
  };
}

import { describeChange, gameServersUpdated } from "#contract/game-servers.ts";
import { afterCommit } from "#server/db/transaction-scope.ts";
import type { Context } from "#server/platform/context.ts";
import type { Drivers } from "../drivers/create-drivers.ts";
import type { SwitchAction } from "../rules.ts";
import type { GameServerRow } from "../store.ts";
import { createLeadership, type Leadership } from "./leadership.ts";
import {
  createOwnDrivers,
  createSharedDrivers,
  type FindDrivers,
  findOwnMachine,
  machineLease,
  machineOf,
  sharedLease,
} from "./machines.ts";
import { createOutageThrottle } from "./outage-throttle.ts";
import { createRemoteTasks, type Task } from "./remote-tasks.ts";
import type { Announce, RequestedBy } from "./supervised-server.ts";
import { createSupervisor } from "./supervisor.ts";
import type { SwitchOutcome } from "./switching.ts";
import { defaultTimings, type Timings } from "./timings.ts";

export type Manager = ReturnType<typeof createManager>;

/** Server id in an event that means all game servers. */
const wholeList = 0;

/**
 * Creates a manager that gives any instance access to the game servers. One elected instance, the
 * leader, supervises those that all machines share, and one per machine its programs.
 */
export function createManager(context: Context, drivers: Drivers, timings: Timings = defaultTimings) {
  const { db, config, leases, bus, clock, log, realtime } = context;
  const throttleOutage = createOutageThrottle(clock);
  const ownMachine = findOwnMachine(context);
  let openedAt = -Infinity;
  let notifiedAt = -Infinity;

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

  function lead(name: string, createFindDrivers: () => FindDrivers): Leadership {
    const isWatched = () => performance.now() - openedAt < timings.watchedMs;
    return createLeadership(leases, name, (signal) =>
      createSupervisor(createFindDrivers(), { db, clock, log, timings, signal, announce, throttleOutage, isWatched }),
    );
  }

  const goneMs = timings.machineGoneMs;
  const shared = lead(sharedLease, () => createSharedDrivers(drivers, { config, leases, goneMs }));
  const ofOwnMachine =
    ownMachine === null ? null : lead(machineLease(ownMachine), () => createOwnDrivers(drivers, ownMachine, config));
  const leaderships = ofOwnMachine ? [shared, ofOwnMachine] : [shared];
  const remote = createRemoteTasks(bus, perform);
  bus.onGap(() => {
    for (const { supervisor } of leaderships) void supervisor?.sync();
    // Makes all pages refetch, because they may have missed announcements of other instances.
    // `sync` announces changes that commands have made.
    if (bus.reachesOthers) announce(db, wholeList, "", null).catch(() => {});
  });

  /** Returns the leadership for which this instance can be elected; `null` for another machine. */
  function findLeadership(machine: string | null): Leadership | null {
    if (machine === null) return shared;
    return machine === ownMachine ? ofOwnMachine : null;
  }

  /** Performs a task if this instance is the leader; returns `null` if another instance leads. */
  function perform(task: Task): Promise<SwitchOutcome> | null {
    if (task.do === "look") return refreshOwn();
    const supervisor = findLeadership(task.machine ?? null)?.supervisor;
    if (!supervisor) return null;
    return task.do === "switch"
      ? supervisor.switch(task.serverId, task.wanted, task.by)
      : supervisor.keepRunning(task.serverId);
  }

  /** Refreshes the game servers that this instance leads; returns `null` if it leads none. */
  function refreshOwn(): Promise<SwitchOutcome> | null {
    const supervisors = leaderships.flatMap(({ supervisor }) => supervisor ?? []);
    if (supervisors.length === 0) return null;
    openedAt = performance.now();
    return Promise.all(supervisors.map((supervisor) => supervisor.refreshStale())).then(() => "running");
  }

  /**
   * Performs a task on the leader, which may be this instance; resolves to `null` if no instance
   * answered in time.
   */
  async function performAnywhere(task: Exclude<Task, { do: "look" }>): Promise<SwitchOutcome | null> {
    const machine = task.machine ?? null;
    const leadership = findLeadership(machine);
    await leadership?.known;
    const own = perform(task);
    if (own) return own;
    if (!leadership && !(await leases.listHeld()).includes(machineLease(machine!))) return "machine-gone";
    let isAnswered = false;
    const requested = remote.request(task, timings.remoteMs).finally(() => {
      isAnswered = true;
    });
    // This instance may become the leader after the previous one has died. An answered task is
    // never repeated.
    const succeeded = leadership?.began.then(() => (isAnswered ? null : perform(task)));
    return Promise.race([requested, ...(succeeded ? [succeeded] : [])]);
  }

  return {
    switch: (row: GameServerRow, action: SwitchAction, by: RequestedBy) =>
      performAnywhere({ do: "switch", serverId: row.id, machine: machineOf(row, config), wanted: action, by }),
    keepRunning: (row: GameServerRow) =>
      performAnywhere({ do: "keep", serverId: row.id, machine: machineOf(row, config) }),
    /**
     * Inspects game servers with a stale state and waits briefly for the result; called when a page
     * opens.
     */
    async refreshStale(): Promise<void> {
      openedAt = performance.now();
      const leadsAll = shared.supervisor !== null && leases.countInstances() === 1;
      if (!leadsAll && openedAt - notifiedAt > timings.pageMs) {
        notifiedAt = openedAt;
        remote.notify({ do: "look" });
      }
      await refreshOwn();
    },
    close: () => Promise.all(leaderships.map((leadership) => leadership.release())),
  };
}

import type { DataOf } from "#contract/event.ts";
import { describeChange, gameServersUpdated } from "#contract/game-servers.ts";
import type { Context } from "#server/platform/context.ts";
import { minutes, seconds, toIso } from "#server/time.ts";
import type { Drivers } from "../drivers/create-drivers.ts";
import type { SwitchAction } from "../rules.ts";
import type { GameServerRow } from "../store.ts";
import {
  createOwnDrivers,
  createSharedDrivers,
  type FindDrivers,
  findOwnMachine,
  machineLease,
  machineOf,
  sharedLease,
} from "./machines.ts";
import { announce, type Announcement, type RequestedBy, type SwitchOutcome } from "./reducer.ts";
import { createRemoteTasks, type Task } from "./remote-tasks.ts";
import type { SupervisionContext } from "./server.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";
import { defaultTimings, type Timings } from "./timings.ts";

export type Manager = ReturnType<typeof createManager>;

/** Server id in an event that means all game servers. */
const wholeList = 0;

/**
 * Gives any instance access to the game servers. One elected leader supervises those that all machines share, and one
 * per machine its programs.
 */
export function createManager(context: Context, drivers: Drivers, timings: Timings = defaultTimings) {
  const { db, config, leases, bus, clock, log } = context;
  const ownMachine = findOwnMachine(context);
  const isNewOutage = createOutageThrottle(clock);
  let openedAt = -Infinity;
  let notifiedAt = -Infinity;

  const announceChange: SupervisionContext["announce"] = async (tx, serverId, announcement) => {
    const isRepeated = announcement.isOutage && !isNewOutage(announcement.message);
    const update = toUpdate(serverId, isRepeated ? { ...announcement, message: "" } : announcement);
    const say = context.say(tx, null);
    await say.event(gameServersUpdated, update);
    const { message, userId, userName } = update;
    if (message === "") return false;
    await say.webhook({ event: "game-server", message, userId });
    await say.push({ kind: "game_servers", senderId: userId, body: describeChange(userName, message) });
    return true;
  };

  /** Supervises while this instance holds the lease. */
  function lead(name: string, createFindDrivers: () => FindDrivers) {
    const isWatched = () => performance.now() - openedAt < timings.watchedMs;
    let supervisor: Supervisor | null = null;
    let began = Promise.withResolvers<void>();
    const { known, release } = leases.acquire(name, (signal) => {
      const supervision = { db, clock, log, timings, signal, announce: announceChange, isWatched };
      supervisor = createSupervisor(createFindDrivers(), supervision);
      began.resolve();
      signal.addEventListener("abort", () => {
        supervisor = null;
        began = Promise.withResolvers();
      });
    });
    return {
      known,
      release,
      /** `null` while another instance leads. */
      supervisor: () => supervisor,
      began: () => began.promise,
    };
  }

  const goneMs = timings.machineGoneMs;
  const shared = lead(sharedLease, () => createSharedDrivers(drivers, { config, leases, goneMs }));
  const ofOwnMachine =
    ownMachine === null ? null : lead(machineLease(ownMachine), () => createOwnDrivers(drivers, ownMachine, config));
  const leaderships = ofOwnMachine ? [shared, ofOwnMachine] : [shared];
  const remote = createRemoteTasks(bus, perform);
  bus.onGap(() => {
    for (const { supervisor } of leaderships) void supervisor()?.sync();
    // Pages may have missed announcements of other instances. `sync` announces changes of commands.
    if (bus.reachesOthers) announceChange(db, wholeList, announce("")).catch(() => {});
  });

  /** Returns `null` for another machine. */
  function findLeadership(machine: string | null) {
    if (machine === null) return shared;
    return machine === ownMachine ? ofOwnMachine : null;
  }

  /** Returns `null` if another instance leads. */
  function perform(task: Task): Promise<SwitchOutcome> | null {
    if (task.do === "look") return refreshOwn();
    const supervisor = findLeadership(task.machine ?? null)?.supervisor();
    if (!supervisor) return null;
    return task.do === "switch"
      ? supervisor.switch(task.serverId, task.wanted, task.by)
      : supervisor.keepRunning(task.serverId);
  }

  /** Returns `null` if this instance leads none. */
  function refreshOwn(): Promise<SwitchOutcome> | null {
    const supervisors = leaderships.flatMap(({ supervisor }) => supervisor() ?? []);
    if (supervisors.length === 0) return null;
    openedAt = performance.now();
    return Promise.all(supervisors.map((supervisor) => supervisor.refreshStale())).then(() => "running");
  }

  /** Resolves to `null` if no instance answered in time. */
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
    // This instance may become the leader after the previous one has died. An answered task is never repeated.
    const succeeded = leadership?.began().then(() => (isAnswered ? null : perform(task)));
    return Promise.race([requested, ...(succeeded ? [succeeded] : [])]);
  }

  return {
    switch: (row: GameServerRow, action: SwitchAction, by: RequestedBy) =>
      performAnywhere({ do: "switch", serverId: row.id, machine: machineOf(row, config), wanted: action, by }),
    keepRunning: (row: GameServerRow) =>
      performAnywhere({ do: "keep", serverId: row.id, machine: machineOf(row, config) }),
    /** Waits briefly for stale states; called when a page opens. */
    async refreshStale(): Promise<void> {
      openedAt = performance.now();
      const leadsAll = shared.supervisor() !== null && leases.countInstances() === 1;
      if (!leadsAll && openedAt - notifiedAt > timings.pageMs) {
        notifiedAt = openedAt;
        remote.notify({ do: "look" });
      }
      await refreshOwn();
    },
    close: () => Promise.all(leaderships.map(({ release }) => release())),
  };
}

export function toUpdate(serverId: number, announcement: Announcement): DataOf<typeof gameServersUpdated> {
  const { message, by, isFailure: is_failure, failedStartAt } = announcement;
  const failed_start_at = toIso(failedStartAt);
  const { id: userId = null, name: userName = null, avatarId = null } = by ?? {};
  return { userId, serverId, message, userName, avatarId, is_failure, failed_start_at };
}

/** Equal messages about different game servers within this time are the same outage. */
const sameOutageMs = seconds(5);
const outageSpanMs = minutes(10);
const maxOutagesPerSpan = 5;

/** The function returns `false` for a message that was just announced, or too often recently. */
function createOutageThrottle(clock: Context["clock"]): (message: string) => boolean {
  const toldAt = new Map<string, number[]>();
  return (message) => {
    const now = clock.now();
    const times = (toldAt.get(message) ?? []).filter((at) => now - at < outageSpanMs);
    if (times.length >= maxOutagesPerSpan || now - (times.at(-1) ?? -Infinity) < sameOutageMs) return false;
    toldAt.set(message, [...times, now]);
    return true;
  };
}

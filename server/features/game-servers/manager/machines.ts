// Programs added with --command belong to their machine: only its instances start, stop and watch them. All other game
// servers are shared: any instance can lead them.
import type { Context } from "#server/platform/context.ts";
import { readMachineId } from "#server/platform/storage/machine-id.ts";
import type { DriverKind, Drivers } from "../drivers/create-drivers.ts";
import { type Driver, EngineUnreachableError } from "../drivers/driver.ts";
import type { GameServerRow } from "../store.ts";

export const sharedLease = "game-servers";

export const machineLease = (machine: string): string => `${sharedLease} ${machine}`;

/** `undefined` if another instance supervises the row. */
export type FindDriver = (row: GameServerRow) => Driver | undefined;

export type FindDrivers = (rows: readonly GameServerRow[]) => Promise<FindDriver>;

async function failToSwitch(): Promise<never> {
  throw new EngineUnreachableError("No instance runs on the machine of this program.");
}

/** Driver of a program while no instance runs on its machine. */
const absentMachine: Driver = {
  inspect: async () => ({ kind: "unreachable", isMachineGone: true }),
  start: failToSwitch,
  stop: failToSwitch,
  watch: () => {},
};

/** Returns `null` if any instance may supervise the row. With SQLite there is only one machine. */
export function machineOf(
  { driver, machine }: Pick<GameServerRow, "driver" | "machine">,
  { databaseUrl }: Pick<Context["config"], "databaseUrl">,
): string | null {
  return databaseUrl !== null && driver === "command" ? machine : null;
}

/** Returns `null` with SQLite, or if DATA_DIR cannot hold an id, nor programs. */
export function findOwnMachine({ config, log }: Pick<Context, "config" | "log">): string | null {
  if (config.databaseUrl === null) return null;
  try {
    return readMachineId(config.dataDir);
  } catch (error) {
    log.warn("no-machine-id", { reason: "DATA_DIR is not writable", code: (error as NodeJS.ErrnoException).code });
    return null;
  }
}

export function createOwnDrivers(drivers: Drivers, machine: string, config: Context["config"]): FindDrivers {
  const find: FindDriver = (row) => (machineOf(row, config) === machine ? drivers.command : undefined);
  return async () => find;
}

/**
 * Finds the drivers of shared game servers, and of programs whose machine has had no leader for `goneMs`, which are
 * shown as unreachable; a restart of their instance takes less.
 */
export function createSharedDrivers(
  drivers: Drivers,
  { config, leases, goneMs }: Pick<Context, "config" | "leases"> & { goneMs: number },
): FindDrivers {
  /** Monotonic time at which each machine was last seen, or first missed. */
  const seenAt = new Map<string, number>();

  return async (rows) => {
    const machines = new Set(rows.flatMap((row) => machineOf(row, config) ?? []));
    const held = machines.size === 0 ? [] : await leases.listHeld();
    const now = performance.now();
    for (const machine of machines) {
      if (held.includes(machineLease(machine)) || !seenAt.has(machine)) seenAt.set(machine, now);
    }
    return (row) => {
      const machine = machineOf(row, config);
      if (machine === null) return drivers[row.driver as DriverKind];
      return now - seenAt.get(machine)! >= goneMs ? absentMachine : undefined;
    };
  };
}

import type { Driver, Target } from "#server/features/game-servers/drivers/driver.ts";

/**
 * Returns a target (a game server as drivers see it) with the reference `ref`, e.g. a container's
 * name, and the driver's default grace period.
 */
export function createTarget(ref: string, id = 0): Target {
  return { id, ref, graceSeconds: null };
}

/** Starts a target with its current state, as the app's game server manager does. */
export async function startTarget(driver: Driver, target: Target): Promise<void> {
  await driver.start(target, await driver.inspect(target));
}

export async function stopTarget(driver: Driver, target: Target): Promise<void> {
  await driver.stop(target, await driver.inspect(target));
}

/**
 * Collects the changes that the driver reports, in order. The ids in a change are positions in
 * `refs`.
 */
export function watchTargets(driver: Driver, refs: readonly string[]) {
  const end = new AbortController();
  const changes: (readonly number[] | "all")[] = [];
  driver.watch(
    () => refs.map((ref, id) => createTarget(ref, id)),
    (ids) => changes.push(ids),
    end.signal,
  );
  return { changes, end: () => end.abort() };
}

import type { Driver, Target } from "#server/features/game-servers/drivers/driver.ts";

/** A server with this reference and the driver's own grace. */
export function createTarget(ref: string, id = 0): Target {
  return { id, ref, graceSeconds: null };
}

/** Starts as the manager does: with what was just observed. */
export async function startTarget(driver: Driver, target: Target): Promise<void> {
  await driver.start(target, await driver.inspect(target));
}

export async function stopTarget(driver: Driver, target: Target): Promise<void> {
  await driver.stop(target, await driver.inspect(target));
}

/** What a watch reported, in order; ids are places in the list. */
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

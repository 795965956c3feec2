import type { Driver, Target } from "#server/features/game-servers/drivers/driver.ts";

/** A server with this reference; how long its stop may take is the driver's affair. */
export function createTarget(ref: string, id = 0): Target {
  return { id, ref, graceSeconds: null };
}

/** What a watch told, in order; ids are places in the list. */
export function watchTargets(driver: Driver, refs: readonly string[]) {
  const end = new AbortController();
  const heard: (readonly number[] | "all")[] = [];
  driver.watch(
    () => refs.map((ref, id) => createTarget(ref, id)),
    (ids) => heard.push(ids),
    end.signal,
  );
  return { heard, end: () => end.abort() };
}

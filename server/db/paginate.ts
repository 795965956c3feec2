import { setImmediate as nextTurn } from "node:timers/promises";

const pageSize = 1000;

/** Highest id of a 32-bit column, from which queries in descending order start. */
export const maxId = 2 ** 31 - 1;

/**
 * Yields rows in batches, which limits memory and lets other requests run in between. `load` returns up to `limit` rows
 * that follow `after`.
 */
export async function* paginate<Mark, Row extends Mark>(
  start: Mark,
  load: (after: Mark, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: Mark = start;
  for (;;) {
    const rows = await load(after, pageSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
    // SQLite answers at once: without this pause, all pages would be one turn of the event loop.
    await nextTurn();
  }
}

import { setImmediate as nextTurn } from "node:timers/promises";

const pageSize = 1000;

/**
 * The highest id that a 32-bit column can hold. Queries in descending order of ids start with it.
 */
export const maxId = 2 ** 31 - 1;

/**
 * Yields rows in batches, which limits memory and lets other requests run in between. `load`
 * returns up to `limit` rows that follow `after` in its order; `after` of the first call is
 * `start`.
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
    // SQLite answers at once, so without this pause all pages would be one turn of the event loop.
    await nextTurn();
  }
}

const pageSize = 1000;

/** The highest possible id; pages in descending order start here. */
export const maxId = 2 ** 31 - 1;

/**
 * Reads rows page by page, which limits memory and lets other requests run. `load` returns up to `limit` rows after the given
 * row, in order; the first call gets `start`.
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
  }
}

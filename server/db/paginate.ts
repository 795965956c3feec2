const pageSize = 1000;

/** No row has a higher id: where pages that count down begin. */
export const maxId = 2 ** 31 - 1;

/**
 * Reads rows page by page, so that neither memory nor other requests wait for however many there are. `load` returns up to
 * `limit` rows that come after a row, in order; before the first one that is `start`.
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

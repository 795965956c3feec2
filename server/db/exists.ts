/**
 * Returns `true` if the query returns at least one row, including rows of a change with
 * `returning()`.
 */
export async function exists(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

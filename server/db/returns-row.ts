/** Whether a query returns a row: that there is one, or for a change with `returning()`, that it changed one. */
export async function returnsRow(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

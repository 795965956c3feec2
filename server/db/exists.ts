/** Returns `true` if a query finds a row, or if a change with `returning()` changed one. */
export async function exists(query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

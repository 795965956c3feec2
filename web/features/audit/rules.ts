import { formatDate } from "#web/ui/german.ts";

/** Groups entries by day, preserving their order. */
export function groupByDay<Entry extends { readonly at: string }>(entries: readonly Entry[]): [day: string, Entry[]][] {
  return [...Map.groupBy(entries, ({ at }) => formatDate(at, "date"))];
}

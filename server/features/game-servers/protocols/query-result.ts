/** A game's unvalidated answer. */
export interface QueryResult {
  readonly online: unknown;
  readonly max: unknown;
  readonly names: readonly unknown[];
}

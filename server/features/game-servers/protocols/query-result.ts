/** A game's answer before its values are validated. */
export interface QueryResult {
  readonly online: unknown;
  readonly max: unknown;
  readonly names: readonly unknown[];
}

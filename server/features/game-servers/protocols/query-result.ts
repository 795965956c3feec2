/** What a game says about who plays, unchecked. */
export interface QueryResult {
  readonly online: unknown;
  readonly max: unknown;
  readonly names: readonly unknown[];
}

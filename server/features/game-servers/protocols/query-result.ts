/** Where a game listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What a game says about who plays, unchecked. */
export interface QueryResult {
  readonly online: unknown;
  readonly max: unknown;
  readonly names: readonly unknown[];
}

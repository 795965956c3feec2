/** Where a game listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** What a game says about who plays, as it came. */
export interface Said {
  readonly online: unknown;
  readonly max: unknown;
  readonly names: readonly unknown[];
}

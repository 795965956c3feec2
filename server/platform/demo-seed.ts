import type { Context } from "./context.ts";

export interface DemoMember {
  readonly id: number;
  readonly uname: string;
  readonly name: string;
  /** Beers relative to the average member; 1 is average. */
  readonly rate: number;
}

export interface DemoContext extends Pick<Context, "config" | "db" | "say" | "clock"> {
  readonly members: readonly DemoMember[];
  /** Total number of beers to create; `null` creates a typical number for two years. */
  readonly beers: number | null;
}

/**
 * Fills a feature's tables with demo data. Returns counts for the command to add up and print,
 * e.g. `{ beers: 2000 }`.
 */
export type DemoSeed = (context: DemoContext) => Promise<Readonly<Record<string, number>> | void>;

import type { Context } from "./context.ts";

export interface DemoMember {
  readonly id: number;
  readonly uname: string;
  readonly name: string;
  /** How much she or he drinks; 1 is average. */
  readonly rate: number;
}

export interface DemoContext extends Pick<Context, "config" | "db" | "clock"> {
  readonly members: readonly DemoMember[];
  /** How many beers there have to be; null: as many as two years bring. */
  readonly beers: number | null;
}

/** Fills the tables of a feature for the demo. Returns what the command should print, e.g. `{ beers: 2000 }`. */
export type DemoSeed = (context: DemoContext) => Promise<Readonly<Record<string, number>> | void>;

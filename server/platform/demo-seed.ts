import type { Context } from "./context.ts";

export interface DemoMember {
  readonly id: number;
  readonly uname: string;
  readonly name: string;
  /** Beers relative to the average member, who has 1. */
  readonly rate: number;
}

export interface DemoContext extends Pick<Context, "config" | "db" | "say" | "clock"> {
  readonly members: readonly DemoMember[];
  /** Beers to create; `null` creates a typical number for two years. */
  readonly beers: number | null;
}

/** Returns counts for the command to print, e.g. `{ beers: 2000 }`. */
export type DemoSeed = (context: DemoContext) => Promise<Readonly<Record<string, number>> | void>;

/** Deterministic for a seed (mulberry32). */
export function createRng(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Returns a generator of random numbers from 0 to 1, which generates the same numbers for the same
 * seed.
 */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000);
process.stdout.write(`SEED=${seed}\n`);

/** Generates random numbers that differ from run to run. The seed is printed; SEED=… in the environment repeats a run. */
export const random = createRandom(seed);

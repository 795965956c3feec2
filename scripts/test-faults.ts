import { canMount, ensureInstalled, busybox, docker, teeworlds } from "./system-programs.ts";
import { runTests } from "./run-tests.ts";

/**
 * `npm run test:faults [FILE…]`: kills, full disks, attacks and load against the real server, and game servers on a real
 * Docker Engine and a real game where this machine can run them. Takes many minutes.
 */
export async function run(args: readonly string[]): Promise<number> {
  const [dockerd, shell] = (await canMount()) ? [await ensureInstalled(docker), await ensureInstalled(busybox)] : [];
  if (dockerd && shell) Object.assign(process.env, { DOCKERD: dockerd, BUSYBOX: shell });
  const game = await ensureInstalled(teeworlds);
  if (game) process.env["TEEWORLDS"] = game;
  return runTests({ projects: ["faults"], args });
}

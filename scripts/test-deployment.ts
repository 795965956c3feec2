import { busybox, caddy, docker, dockerCompose, nginx, postgres, ensureInstalled, systemd } from "./system-programs.ts";
import { refreshWeb } from "./prepare.js";
import { printSummary, reportFailure, createResults } from "./results.ts";
import { runTests } from "./vitest.ts";

/** `npm run test:deployment`: the files that operators copy, run for real as far as this machine allows. */
export async function run(files: readonly string[]): Promise<number> {
  const tally = createResults();
  for (const program of [caddy, nginx, systemd, dockerCompose, postgres]) {
    if (!(await ensureInstalled(program))) reportFailure(tally, program.package, "is missing");
  }
  const [dockerd, shell] = [await ensureInstalled(docker), await ensureInstalled(busybox)];
  if (dockerd && shell) Object.assign(process.env, { DOCKERD: dockerd, BUSYBOX: shell });
  else reportFailure(tally, "the image", "was not built, a Docker Engine is missing");
  refreshWeb();
  if (tally.failed === 0) await runTests(tally, ["deployment"], files);
  return printSummary(tally);
}

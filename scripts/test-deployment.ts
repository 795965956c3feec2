import { busybox, caddy, docker, dockerCompose, nginx, postgres, provide, systemd } from "./machine.ts";
import { refreshWeb } from "./prepare.js";
import { close, fail, newTally } from "./tally.ts";
import { runTests } from "./vitest.ts";

/** `npm run test:deployment`: the files that operators copy, run for real as far as this machine allows. */
export async function run(files: readonly string[]): Promise<number> {
  const tally = newTally();
  for (const program of [caddy, nginx, systemd, dockerCompose, postgres]) {
    if (!(await provide(program))) fail(tally, program.package, "is missing");
  }
  const [dockerd, shell] = [await provide(docker), await provide(busybox)];
  if (dockerd && shell) Object.assign(process.env, { DOCKERD: dockerd, BUSYBOX: shell });
  else fail(tally, "the image", "was not built, a Docker Engine is missing");
  refreshWeb();
  if (tally.failed === 0) await runTests(tally, ["deployment"], files);
  return close(tally);
}

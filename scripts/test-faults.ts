import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { formatFaultTable, readFaults } from "./fault-table.ts";
import { runTests } from "./run-tests.ts";
import { canMount, ensureInstalled, busybox, docker, teeworlds } from "./system-programs.ts";

/**
 * `npm run test:faults [FILE…]`: tests kills, full disks, attacks and load against the real server.
 * Where possible, also tests game servers with a real Docker Engine and a real game. Prints
 * docs/faults.md with the measured values; takes many minutes.
 */
export async function run(args: readonly string[]): Promise<number> {
  const [dockerd, shell] = (await canMount()) ? [await ensureInstalled(docker), await ensureInstalled(busybox)] : [];
  if (dockerd && shell) Object.assign(process.env, { DOCKERD: dockerd, BUSYBOX: shell });
  const game = await ensureInstalled(teeworlds);
  if (game) process.env["TEEWORLDS"] = game;
  const folder = mkdtempSync(join(tmpdir(), "faults-"));
  const file = join(folder, "report.jsonl");
  writeFileSync(file, "");
  process.env["FAULT_REPORT"] = file;
  const code = await runTests({ projects: ["faults"], args });
  const reports = readFileSync(file, "utf8");
  const measured = readFaults().filter(({ id }) => args.length === 0 || reports.includes(`"${id}"`));
  process.stdout.write(`\n${formatFaultTable(measured, reports)}`);
  rmSync(folder, { recursive: true });
  return code;
}

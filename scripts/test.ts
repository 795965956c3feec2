import { runChecks } from "./checks.ts";
import {
  busybox,
  chromium,
  docker,
  firefox,
  headlessShell,
  miniBrowser,
  postgres,
  ensureInstalled,
  teeworlds,
  webKitDriver,
  xvfb,
} from "./system-programs.ts";
import { startPostgres } from "./postgres.ts";
import { refreshWeb } from "./prepare.js";
import { runToEnd } from "./child-processes.ts";
import { printSummary, reportFailure, createResults } from "./results.ts";
import { runTests } from "./vitest.ts";

/** `npm test [FILE…]`: every check and every test, or only the tests of the files named. */
export async function run(files: readonly string[]): Promise<number> {
  const tally = createResults();
  const projects = ["repository", "web", "process", "server (sqlite)"];
  if (files.length === 0) await runChecks(tally);

  const database = await ensureInstalled(postgres);
  if (database) projects.push("server (postgres)");
  else reportFailure(tally, "server (postgres)", "did not run, PostgreSQL is missing");

  const browser = await ensureInstalled(chromium);
  const shell = browser && (await ensureInstalled(headlessShell));
  if (browser) projects.push("e2e");
  else reportFailure(tally, "e2e", "did not run, a browser is missing");

  const missing: string[] = [];
  for (const program of [firefox, webKitDriver, miniBrowser, xvfb]) {
    if (!(await ensureInstalled(program))) missing.push(program.package);
  }
  if (missing.length === 0) projects.push("engines");
  else reportFailure(tally, "engines", `did not run, missing: ${missing.join(", ")}`);

  await provideGames();

  refreshWeb();
  const server = database ? await startPostgres(database) : null;
  try {
    if (server) process.env["TEST_DATABASE_URL"] = server.url;
    if (browser) process.env["CHROMIUM"] = browser;
    if (shell) process.env["HEADLESS_SHELL"] = shell;
    await runTests(tally, projects, files);
  } finally {
    server?.stop();
  }
  return printSummary(tally);
}

/** What game servers run on. Where root may not mount anything, say in a container, no engine can start; that is no failure. */
async function provideGames(): Promise<void> {
  const mayMount = process.getuid?.() === 0 && (await runToEnd("unshare", ["--mount", "true"])).code === 0;
  const [dockerd, shell] = mayMount ? [await ensureInstalled(docker), await ensureInstalled(busybox)] : [null, null];
  const game = await ensureInstalled(teeworlds);
  if (dockerd && shell) Object.assign(process.env, { DOCKERD: dockerd, BUSYBOX: shell });
  if (game) process.env["TEEWORLDS"] = game;
  const real = [dockerd && shell ? "a real Docker Engine" : "", game ? "a real Teeworlds server" : ""].filter(Boolean);
  process.stdout.write(`Game servers run on: ${["made-up Docker, Podman and systemd", ...real].join(", ")}\n`);
}

import { runChecks } from "./checks.ts";
import { chromium, postgres, provide } from "./machine.ts";
import { startPostgres } from "./postgres.ts";
import { refreshWeb } from "./prepare.js";
import { close, fail, newTally } from "./tally.ts";
import { runTests } from "./vitest.ts";

/** `npm test [FILE…]`: every check and every test, or only the tests of the files named. */
export async function run(files: readonly string[]): Promise<number> {
  const tally = newTally();
  const projects = ["house", "web", "process", "server (sqlite)"];
  if (files.length === 0) await runChecks(tally);

  const database = await provide(postgres);
  if (database) projects.push("server (postgres)");
  else fail(tally, "server (postgres)", "did not run, PostgreSQL is missing");

  const browser = await provide(chromium);
  if (browser) projects.push("e2e");
  else fail(tally, "e2e", "did not run, a browser is missing");

  refreshWeb();
  const server = database ? await startPostgres(database) : null;
  try {
    if (server) process.env["TEST_DATABASE_URL"] = server.url;
    if (browser) process.env["CHROMIUM"] = browser;
    await runTests(tally, projects, files);
  } finally {
    server?.stop();
  }
  return close(tally);
}

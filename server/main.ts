import { openApp } from "./app.ts";
import type { Config } from "./config.ts";
import { databaseFile, openDatabase } from "./db/connect.ts";
import { inspectFile } from "./db/inspect.ts";
import { upgrade } from "./db/upgrade.ts";
import { recountDays } from "./features/beercounter/jobs.ts";
import { inviteFirstMember } from "./features/invitations/jobs.ts";
import { keepWaitingPushes } from "./features/notifications/actions.ts";
import { startJobs } from "./jobs.ts";
import { claimDataDir } from "./platform/claim.ts";
import { systemClock } from "./platform/clock.ts";
import { boundConnections } from "./platform/http/connections.ts";
import { openLog } from "./platform/log.ts";
import { decodeOnlyPngAndJpeg } from "./platform/picture.ts";
import type { Platform } from "./platform/platform.ts";
import { loadSecrets } from "./platform/secrets.ts";

/** Requests in flight and sockets get this long after SIGTERM; container engines kill after 10 s. */
const graceMs = 5000;

/** For how long a command may be looking at the data when we start. */
const commandsTakeMs = 1000;

/** Serves until SIGTERM or SIGINT and returns the exit code. */
export async function serve(config: Config): Promise<number> {
  const log = openLog(config.logLevel);
  // Whoever reads what we write may go away; without listeners the next line would end the process.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
  decodeOnlyPngAndJpeg();
  const release = claimDataDir(config, commandsTakeMs);
  if (!config.databaseUrl) inspectFile(databaseFile(config.dataDir), { isAlone: true });
  await bringUpToDate(config);
  const database = openDatabase(config, { isServing: true });
  const secrets = await loadSecrets(database, config.dataDir);
  const platform = await openApp({ config, database, secrets, clock: systemClock, log });
  const stopJobs = startJobs(platform);
  boundConnections(platform.door.app.server, log);

  const stop = nextSignal();
  await platform.door.app.listen(placeToListen(config));
  await inviteFirstMember(platform);
  log.info("listening", { host: config.host, port: config.port, database: database.kind });

  await stop;
  log.info("stopping");
  exitAtNextSignal();
  stopJobs();
  await closeDoor(platform);
  await keepWaitingPushes(platform);
  await platform.bus.close();
  await database.close();
  release();
  log.info("stopped");
  endInAMoment();
  return 0;
}

async function bringUpToDate(config: Config): Promise<void> {
  const database = openDatabase(config);
  await upgrade(database, config.dataDir, systemClock.now());
  await recountDays(database, config.timeZone);
  await database.close();
}

/** An engine may take minutes to stop what we asked it to stop; nobody has to wait here to hear of it. */
function endInAMoment(): void {
  setTimeout(() => process.exit(0), 100).unref();
}

/** Fastify's type does not name `fd`, which it passes on to Node's own listen. */
function placeToListen({ host, port, listenFd }: Config): { host: string; port: number; fd?: number } {
  return { host, port, ...(listenFd !== null && { fd: listenFd }) };
}

/** Lets requests in flight finish, then tells the sockets to come back later, as the very last act. */
async function closeDoor({ door, realtime }: Platform): Promise<void> {
  const deadline = new Promise<void>((resolve) => setTimeout(resolve, graceMs).unref());
  // From here on new sockets are told to try later.
  void realtime.drain();
  const closed = door.app.close();
  await Promise.race([door.whenIdle(), deadline]);
  await realtime.close();
  door.app.server.closeAllConnections();
  await Promise.race([closed, deadline]);
}

/** Ctrl-C under npm arrives twice at once, from the terminal and from npm; only whoever asks again does not want to wait. */
const sameSignalMs = 300;

function exitAtNextSignal(): void {
  const ignore = (): void => {};
  process.on("SIGINT", ignore).on("SIGTERM", ignore);
  setTimeout(() => void nextSignal().then(() => process.exit(0)), sameSignalMs).unref();
}

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}

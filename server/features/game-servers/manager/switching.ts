import { errorFields } from "#server/platform/log.ts";
import type { Observation } from "../drivers/driver.ts";
import type { Wanted } from "../rules.ts";
import { claimChange, endChange, prolongChange, setWanted } from "../store.ts";
import type { By, Change, Ground, KeptServer } from "./kept-server.ts";
import { within } from "./timings.ts";

/** What came of somebody's wish; `unreachable` also where there is nothing to start. */
export type Outcome = "starting" | "running" | "stopping" | "off" | "busy" | "unreachable";

/** Whoever makes a change says so anew every few seconds; after a crash the server is free this soon. */
const leaseMs = 20_000;
const renewEveryMs = 5000;

export const wordings = {
  starting: (name: string) => `${name} wird gestartet.`,
  stopping: (name: string) => `${name} wird heruntergefahren.`,
  idle: (name: string) => `${name} wird heruntergefahren, weil niemand spielt.`,
  stuck: (name: string) => `${name} ließ sich nicht herunterfahren.`,
};

/** Starts or stops a server: one change at a time. Returns when the start was accepted, or the stop begun. */
export async function switchServer(server: KeptServer, wanted: Wanted, by: By, ground: Ground): Promise<Outcome> {
  const { db, clock } = ground;
  const running = server.change;
  if (running) {
    if (running.wanted !== "start" || wanted !== "stop" || running.isStopDue) return "busy";
    running.isStopDue = true;
    await wish(server, "stop", by, ground);
    return "stopping";
  }
  const change: Change = { wanted, isStopDue: false };
  server.change = change;
  const { id } = server.row;
  const stopRenewing = renew(server, change, ground);
  function letGo(): void {
    stopRenewing();
    server.change = null;
  }
  async function end(): Promise<void> {
    letGo();
    await endChange(db, id);
    await server.refresh();
  }
  try {
    const [began, now] = [performance.now(), clock.now()];
    if (!(await claimChange(db, id, { changing: wanted, now, until: now + leaseMs }))) {
      letGo();
      return "busy";
    }
    await server.refresh();
    const needless = judge(wanted, server.seen);
    if (needless && !change.isStopDue) {
      letGo();
      await endChange(db, id);
      await server.reconsider();
      return needless;
    }
    const ending =
      wanted === "start" ? await start(server, change, by, ground, began) : await beginStop(server, by, ground);
    void ending.settled.then(end).catch((error: unknown) => logFailure(ground, id, error));
    return needless ?? ending.outcome;
  } catch (error) {
    // The database did not take it: the lease ends by itself.
    letGo();
    throw error;
  }
}

/** Why there is nothing to do, or nothing that can be done. */
function judge(wanted: Wanted, seen: Observation): Outcome | null {
  if (seen.kind !== "found") return "unreachable";
  if (seen.word === "stopping") return "busy";
  const isUp = seen.isAlive || seen.word === "restarting";
  if (wanted === "stop") return isUp ? null : "off";
  return isUp ? "running" : null;
}

interface Ending {
  readonly outcome: Outcome;
  /** When no driver works on this server any more. Never rejects. */
  readonly settled: Promise<void>;
}

async function start(server: KeptServer, change: Change, by: By, ground: Ground, began: number): Promise<Ending> {
  // Whoever wanted it stopped meanwhile wanted it last.
  if (change.isStopDue) return { outcome: "starting", settled: stopIfDue(server, change, ground) };
  const { row, wish: before } = server;
  if (server.hasAnswered !== null) server.hasAnswered = false;
  await remember(server, "start", by, ground);
  await server.reconsider();
  const started = server.driver.start(server.target).then(
    () => "starting" as const,
    (error: unknown) => {
      logFailure(ground, row.id, error);
      return "unreachable" as const;
    },
  );
  const settled = started.then(() => stopIfDue(server, change, ground));
  const patience = ground.timings.startWithin - (performance.now() - began);
  const outcome = await within(patience, started, "unreachable" as const);
  // Nobody's start came about; but a stop that came meanwhile stands.
  if (outcome === "unreachable" && !change.isStopDue) await takeBack(server, before, ground);
  if (outcome === "starting") ground.tell(row.id, wordings.starting(row.display_name), by);
  return { outcome, settled };
}

async function stopIfDue(server: KeptServer, change: Change, ground: Ground): Promise<void> {
  if (!change.isStopDue) return;
  change.wanted = "stop";
  await server.refresh();
  await stop(server, ground);
}

async function beginStop(server: KeptServer, by: By, ground: Ground): Promise<Ending> {
  await wish(server, "stop", by, ground);
  return { outcome: "stopping", settled: stop(server, ground) };
}

async function stop(server: KeptServer, ground: Ground): Promise<void> {
  try {
    await server.driver.stop(server.target);
  } catch (error) {
    logFailure(ground, server.row.id, error);
    ground.tell(server.row.id, wordings.stuck(server.row.display_name), null);
  }
}

/** Writes the wish down and says whose it is. */
async function wish(server: KeptServer, wanted: "stop", by: By, ground: Ground): Promise<void> {
  const { id, display_name } = server.row;
  await remember(server, wanted, by, ground);
  await server.reconsider();
  ground.tell(id, (by ? wordings.stopping : wordings.idle)(display_name), by);
}

async function remember(server: KeptServer, wanted: Wanted, by: By, { db, clock }: Ground): Promise<void> {
  const next = { wanted, by: by?.id ?? null, at: clock.now() };
  await setWanted(db, server.row.id, next);
  server.wish = next;
}

async function takeBack(server: KeptServer, before: KeptServer["wish"], { db }: Ground): Promise<void> {
  await setWanted(db, server.row.id, before);
  server.wish = before;
}

function renew(server: KeptServer, change: Change, { db, clock, log }: Ground): () => void {
  const timer = setInterval(() => {
    prolongChange(db, server.row.id, change.wanted, clock.now() + leaseMs).catch((error: unknown) =>
      log.warn("game-server-lease-lost", { server: server.row.id, ...errorFields(error) }),
    );
  }, renewEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** What an engine says of itself stays out of the log: it names containers and paths. */
function logFailure({ log }: Ground, server: number, error: unknown): void {
  log.warn("game-server-change-failed", { server, error: error instanceof Error ? error.constructor.name : "unknown" });
}

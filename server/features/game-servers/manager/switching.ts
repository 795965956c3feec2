import { errorFields } from "#server/platform/log.ts";
import type { Observation } from "../drivers/driver.ts";
import type { SwitchAction } from "../rules.ts";
import { claimChange, endChange, renewChange, updateRequest } from "../store.ts";
import type { ChangedBy, Change, SupervisionContext, SupervisedServer } from "./supervised-server.ts";
import { within } from "./timings.ts";

/** What came of somebody's wish; `unreachable` also where there is nothing to start. */
export type Outcome = "starting" | "running" | "stopping" | "off" | "busy" | "unreachable";

/** Whoever makes a change says so anew every few seconds; after a crash the server is free this soon. */
const leaseMs = 20_000;
const renewEveryMs = 5000;

export const messages = {
  starting: (name: string) => `${name} wird gestartet.`,
  stopping: (name: string) => `${name} wird heruntergefahren.`,
  idle: (name: string) => `${name} wird heruntergefahren, weil niemand spielt.`,
  stuck: (name: string) => `${name} ließ sich nicht herunterfahren.`,
};

/** Starts or stops a server: one change at a time. Returns when the start was accepted, or the stop begun. */
export async function switchServer(
  server: SupervisedServer,
  wanted: SwitchAction,
  by: ChangedBy,
  context: SupervisionContext,
): Promise<Outcome> {
  const { db, clock } = context;
  const running = server.change;
  if (running) {
    if (running.wanted !== "start" || wanted !== "stop" || running.isStopDue) return "busy";
    running.isStopDue = true;
    await requestStop(server, "stop", by, context);
    return "stopping";
  }
  const change: Change = { wanted, isStopDue: false };
  server.change = change;
  const { id } = server.row;
  const stopRenewing = renewLease(server, change, context);
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
    const needless = findUnneededOutcome(wanted, server.seen);
    if (needless && !change.isStopDue) {
      letGo();
      await endChange(db, id);
      await server.reconsider();
      return needless;
    }
    const ending =
      wanted === "start" ? await start(server, change, by, context, began) : await beginStop(server, by, context);
    void ending.settled.then(end).catch((error: unknown) => logFailure(context, id, error));
    return needless ?? ending.outcome;
  } catch (error) {
    // The database did not take it: the lease ends by itself.
    letGo();
    throw error;
  }
}

/** Why there is nothing to do, or nothing that can be done. */
function findUnneededOutcome(wanted: SwitchAction, seen: Observation): Outcome | null {
  if (seen.kind !== "found") return "unreachable";
  if (seen.word === "stopping") return "busy";
  const isUp = seen.isAlive || seen.word === "restarting";
  if (wanted === "stop") return isUp ? null : "off";
  return isUp ? "running" : null;
}

interface RunningChange {
  readonly outcome: Outcome;
  /** When no driver works on this server any more. Never rejects. */
  readonly settled: Promise<void>;
}

async function start(
  server: SupervisedServer,
  change: Change,
  by: ChangedBy,
  context: SupervisionContext,
  began: number,
): Promise<RunningChange> {
  // Whoever wanted it stopped meanwhile wanted it last.
  if (change.isStopDue) return { outcome: "starting", settled: stopIfDue(server, change, context) };
  const { row, wish: before } = server;
  if (server.hasAnswered !== null) server.hasAnswered = false;
  await saveRequest(server, "start", by, context);
  await server.reconsider();
  const started = server.driver.start(server.target).then(
    () => "starting" as const,
    (error: unknown) => {
      logFailure(context, row.id, error);
      return "unreachable" as const;
    },
  );
  const settled = started.then(() => stopIfDue(server, change, context));
  const patience = context.timings.startWithin - (performance.now() - began);
  const outcome = await within(patience, started, "unreachable" as const);
  // Nobody's start came about; but a stop that came meanwhile stands.
  if (outcome === "unreachable" && !change.isStopDue) await restoreRequest(server, before, context);
  if (outcome === "starting") context.tell(row.id, messages.starting(row.display_name), by);
  return { outcome, settled };
}

async function stopIfDue(server: SupervisedServer, change: Change, context: SupervisionContext): Promise<void> {
  if (!change.isStopDue) return;
  change.wanted = "stop";
  await server.refresh();
  await stop(server, context);
}

async function beginStop(server: SupervisedServer, by: ChangedBy, context: SupervisionContext): Promise<RunningChange> {
  await requestStop(server, "stop", by, context);
  return { outcome: "stopping", settled: stop(server, context) };
}

async function stop(server: SupervisedServer, context: SupervisionContext): Promise<void> {
  try {
    await server.driver.stop(server.target);
  } catch (error) {
    logFailure(context, server.row.id, error);
    context.tell(server.row.id, messages.stuck(server.row.display_name), null);
  }
}

/** Writes the wish down and says whose it is. */
async function requestStop(
  server: SupervisedServer,
  wanted: "stop",
  by: ChangedBy,
  context: SupervisionContext,
): Promise<void> {
  const { id, display_name } = server.row;
  await saveRequest(server, wanted, by, context);
  await server.reconsider();
  context.tell(id, (by ? messages.stopping : messages.idle)(display_name), by);
}

async function saveRequest(
  server: SupervisedServer,
  wanted: SwitchAction,
  by: ChangedBy,
  { db, clock }: SupervisionContext,
): Promise<void> {
  const next = { wanted, by: by?.id ?? null, at: clock.now() };
  await updateRequest(db, server.row.id, next);
  server.wish = next;
}

async function restoreRequest(
  server: SupervisedServer,
  before: SupervisedServer["wish"],
  { db }: SupervisionContext,
): Promise<void> {
  await updateRequest(db, server.row.id, before);
  server.wish = before;
}

function renewLease(server: SupervisedServer, change: Change, { db, clock, log }: SupervisionContext): () => void {
  const timer = setInterval(() => {
    renewChange(db, server.row.id, change.wanted, clock.now() + leaseMs).catch((error: unknown) =>
      log.warn("game-server-lease-lost", { server: server.row.id, ...errorFields(error) }),
    );
  }, renewEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** What an engine says of itself stays out of the log: it names containers and paths. */
function logFailure({ log }: SupervisionContext, server: number, error: unknown): void {
  log.warn("game-server-change-failed", { server, error: error instanceof Error ? error.constructor.name : "unknown" });
}

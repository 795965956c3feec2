import { errorFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";
import type { Observation } from "../drivers/driver.ts";

import { messages, type SwitchAction, type SwitchRequest } from "../rules.ts";

import { claimChange, endChange, renewChange } from "../store.ts";
import type { Change, ChangedBy, SupervisedServer, SupervisionContext } from "./supervised-server.ts";
import { within } from "./timings.ts";

/** What came of a member's request; `unreachable` also where there is nothing to start. */
export type SwitchOutcome = "starting" | "running" | "stopping" | "off" | "busy" | "unreachable";

/** The instance that makes a change renews its lease; after a crash the server is free again this soon. */
const leaseMs = 20_000;
const renewEveryMs = 5000;

/** Starts or stops a server: one change at a time. Returns when the start was accepted, or the stop begun. */
export async function switchServer(
  server: SupervisedServer,
  action: SwitchAction,
  by: ChangedBy,
  context: SupervisionContext,
): Promise<SwitchOutcome> {
  if (server.change) return switchDuringChange(server, server.change, action, by, context);
  const began = performance.now();
  const change: Change = { action, isStopRequested: false };
  server.change = change;
  const stopRenewing = renewLease(server, change, context);
  function release(): void {
    stopRenewing();
    server.change = null;
  }
  async function finish(): Promise<void> {
    release();
    await endChange(context.db, server.row.id);
  }
  /** What is left to do after the answer. */
  function finishAfter(work: Promise<void>): void {
    void work
      .then(finish)
      .then(() => server.refresh())
      .catch((error: unknown) => logFailure(context, server, error));
  }
  try {
    const now = context.clock.now();
    if (!(await claimChange(context.db, server.row.id, { changing: action, now, until: now + leaseMs }))) {
      release();
      return "busy";
    }
    await server.refresh();
    const needless = findNeedlessOutcome(action, server.state.observation);
    if (needless && !change.isStopRequested) {
      await finish();
      await server.apply({ type: "reviewed" });
      return needless;
    }
    if (action === "stop") {
      await requestStop(server, by, context);
      finishAfter(stop(server, context));
      return "stopping";
    }
    // The stop was requested later and counts.
    if (change.isStopRequested) {
      finishAfter(stopIfRequested(server, change, context));
      return needless ?? "starting";
    }
    const { outcome, settled } = await start(server, change, by, context, began);
    finishAfter(settled);
    return outcome;
  } catch (error) {
    // The database failed: the lease ends by itself.
    release();
    throw error;
  }
}

/** A stop may follow a start that is under way; everything else has to wait. */
async function switchDuringChange(
  server: SupervisedServer,
  change: Change,
  action: SwitchAction,
  by: ChangedBy,
  context: SupervisionContext,
): Promise<SwitchOutcome> {
  if (change.action !== "start" || action !== "stop" || change.isStopRequested) return "busy";
  change.isStopRequested = true;
  await requestStop(server, by, context);
  return "stopping";
}

/** Why there is nothing to do, or nothing that can be done; null: go on. */
function findNeedlessOutcome(action: SwitchAction, observation: Observation | null): SwitchOutcome | null {
  if (observation?.kind !== "found") return "unreachable";
  if (observation.status === "stopping") return "busy";
  const isUp = observation.isAlive || observation.status === "restarting";
  if (action === "stop") return isUp ? null : "off";
  return isUp ? "running" : null;
}

/** `settled` resolves when no driver works on this server any more, and never rejects. */
async function start(
  server: SupervisedServer,
  change: Change,
  by: ChangedBy,
  context: SupervisionContext,
  began: number,
): Promise<{ outcome: SwitchOutcome; settled: Promise<void> }> {
  const { row, target, state } = server;
  await saveRequest(server, "start", by, context);
  const started = server.driver.start(target, state.observation).then(
    () => "starting" as const,
    (error: unknown) => {
      logFailure(context, server, error);
      return "unreachable" as const;
    },
  );
  const settled = started.then(() => stopIfRequested(server, change, context));
  const remainingMs = context.timings.startMs - (performance.now() - began);
  const outcome = await within(remainingMs, started, "unreachable" as const);
  if (outcome === "starting") context.announce(row.id, messages.starting(row.display_name), by);
  // The start came to nothing and is nobody's; but a stop that came meanwhile stands.
  else if (!change.isStopRequested) {
    const { requested, requestedBy, requestedAt } = state;
    await server.apply({ type: "requested", request: { requested, requestedBy, requestedAt } });
  }
  return { outcome, settled };
}

async function stopIfRequested(server: SupervisedServer, change: Change, context: SupervisionContext): Promise<void> {
  if (!change.isStopRequested) return;
  change.action = "stop";
  await server.refresh();
  await stop(server, context);
}

async function stop(server: SupervisedServer, context: SupervisionContext): Promise<void> {
  try {
    await server.driver.stop(server.target, server.state.observation);
  } catch (error) {
    logFailure(context, server, error);
    context.announce(server.row.id, messages.stopFailed(server.row.display_name), null);
  }
}

/** Stores the request and tells everybody whose it is. */
async function requestStop(server: SupervisedServer, by: ChangedBy, context: SupervisionContext): Promise<void> {
  const { id, display_name: name } = server.row;
  await saveRequest(server, "stop", by, context);
  context.announce(id, by ? messages.stopping(name) : messages.stoppingEmpty(name), by);
}

async function saveRequest(
  server: SupervisedServer,
  requested: SwitchAction,
  by: ChangedBy,
  { clock }: SupervisionContext,
): Promise<void> {
  const request: SwitchRequest = { requested, requestedBy: by?.id ?? null, requestedAt: clock.now() };
  await server.apply({ type: "requested", request });
}

function renewLease(server: SupervisedServer, change: Change, { db, clock, log }: SupervisionContext): () => void {
  return every(
    renewEveryMs,
    () => renewChange(db, server.row.id, change.action, clock.now() + leaseMs),
    (error) => log.warn("game-server-lease-lost", { server: server.row.id, ...errorFields(error) }),
  );
}

/** The engine's own text stays out of the log: it names containers and paths. */
function logFailure({ log }: SupervisionContext, { row }: SupervisedServer, error: unknown): void {
  const name = error instanceof Error ? error.constructor.name : "unknown";
  log.warn("game-server-change-failed", { server: row.id, error: name });
}

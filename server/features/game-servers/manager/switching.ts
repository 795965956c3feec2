import { errorFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";
import { EngineRefusedError } from "../drivers/driver.ts";
import { messages, type StartFailure, type SwitchAction, type SwitchRequest } from "../rules.ts";
import { claimChange, endChange, renewChange } from "../store.ts";
import type { Change, ChangedBy, SupervisedServer, SupervisionContext } from "./supervised-server.ts";
import { withTimeout } from "./timings.ts";

/** The outcome of a request; `missing`: there is nothing to start or stop. */
export type SwitchOutcome =
  | "starting"
  | "running"
  | "stopping"
  | "off"
  | "busy"
  | "missing"
  | "start-failed"
  | "unreachable";

const renewEveryMs = 5000;

/**
 * Starts or stops a server: one change at a time. Resolves when the start was accepted, or the stop begun; the rest is done after the
 * answer. A stop that is requested during a start is noted in the change, and made once the server has started.
 */
export async function switchServer(
  server: SupervisedServer,
  action: SwitchAction,
  by: ChangedBy,
  context: SupervisionContext,
): Promise<SwitchOutcome> {
  const { db, clock, log, timings, announce } = context;
  const { id, display_name: name } = server.row;
  await server.ended;
  const running = server.change;
  if (running) {
    // Only a stop may follow a start that is under way.
    if (running.action !== "start" || action !== "stop" || running.isStopRequested) return "busy";
    running.isStopRequested = true;
    await requestStop();
    return "stopping";
  }

  const began = performance.now();
  const change: Change = { action, isStopRequested: false };
  server.change = change;
  const stopRenewing = every(
    renewEveryMs,
    () => renewChange(db, id, change.action, clock.now()),
    (error) => log.warn("game-server-lease-lost", { server: id, ...errorFields(error) }),
  );
  try {
    if (!(await claimChange(db, id, action, clock.now()))) {
      release();
      return "busy";
    }
    await server.refresh();
    const needless = findNeedlessOutcome(action, server.state);
    if (needless && !change.isStopRequested) {
      if (needless === "missing" && action === "start") announceFailure("missing");
      finishAfter(Promise.resolve());
      return needless;
    }
    if (action === "stop") {
      const { phase, requested, requestedBy, requestedAt } = server.state;
      const interrupted = phase === "starting" ? { requested, requestedBy, requestedAt } : null;
      await requestStop();
      finishAfter(stop(interrupted));
      return "stopping";
    }
    // The stop was requested later and counts.
    if (change.isStopRequested) {
      finishAfter(stopIfRequested());
      return needless ?? "starting";
    }
    return await start();
  } catch (error) {
    // The database failed: the lease ends by itself.
    release();
    throw error;
  }

  async function start(): Promise<SwitchOutcome> {
    const { observation, requested, requestedBy, requestedAt } = server.state;
    await saveRequest({ requested: "start", requestedBy: by?.id ?? null, requestedAt: clock.now() });
    // A script may take seconds: until then open pages only show that it is starting, and by whom.
    announce(id, "", null);
    const started = server.driver.start(server.target, observation).then(
      () => null,
      (error: unknown) => {
        logFailure(error);
        return toFailure(error);
      },
    );
    const remainingMs = timings.startMs - (performance.now() - began);
    const failure = await withTimeout(started, remainingMs, toFailure(null));
    if (failure === null) announce(id, messages.starting(name), by);
    // A stop that was requested later still counts.
    else if (!change.isStopRequested) {
      const request = { requested, requestedBy, requestedAt };
      await server.apply({ type: "start-failed", failure: { ...failure, at: clock.now() }, request });
      if (failure.reason !== "unreachable") announceFailure(failure.reason);
    }
    finishAfter(started.then(stopIfRequested));
    if (failure === null) return "starting";
    return failure.reason === "unreachable" ? "unreachable" : "start-failed";
  }

  /** Without the name: it is not the member who failed. */
  function announceFailure(reason: StartFailure["reason"]): void {
    announce(id, messages.startFailed(name, reason), by && { id: by.id, avatarId: null }, true);
  }

  async function stopIfRequested(): Promise<void> {
    if (!change.isStopRequested) return;
    change.action = "stop";
    await server.refresh();
    await stop();
  }

  /** `interrupted`: the start of a machine that is still on the way up; it goes on if the stop fails. */
  async function stop(interrupted: SwitchRequest | null = null): Promise<void> {
    try {
      await server.driver.stop(server.target, server.state.observation);
    } catch (error) {
      logFailure(error);
      await server.refresh();
      if (interrupted) await saveRequest(interrupted);
      // Perhaps only the answer got lost.
      else if (server.state.observation?.kind === "found" && !server.state.isAlive) return;
      announce(id, messages.stopFailed(name), null, true);
    }
  }

  async function requestStop(): Promise<void> {
    await saveRequest({ requested: "stop", requestedBy: by?.id ?? null, requestedAt: clock.now() });
    announce(id, by ? messages.stopping(name) : messages.stoppingEmpty(name), by);
  }

  function saveRequest(request: SwitchRequest): Promise<void> {
    return server.apply({ type: "requested", request });
  }

  /** The rest, after the answer. */
  function finishAfter(work: Promise<void>): void {
    void work
      .then(finish)
      .then(() => server.refresh())
      .catch(logFailure);
  }

  async function finish(): Promise<void> {
    release();
    const ended = endChange(db, id);
    // If the database fails, the lease ends by itself.
    server.ended = Promise.allSettled([ended]);
    await ended;
  }

  function release(): void {
    stopRenewing();
    server.change = null;
  }

  /** The engine's own text stays out of the log: it names containers and paths. */
  function logFailure(error: unknown): void {
    const kind = error instanceof Error ? error.constructor.name : "unknown";
    log.warn("game-server-change-failed", { server: id, error: kind });
  }
}

function toFailure(error: unknown): Pick<StartFailure, "reason" | "detail"> {
  const { reason, detail } =
    error instanceof EngineRefusedError ? error : ({ reason: "unreachable", detail: null } as const);
  return { reason, detail };
}

/** Why there is nothing to do, or nothing that can be done; null: go on. */
function findNeedlessOutcome(
  action: SwitchAction,
  { observation, phase }: SupervisedServer["state"],
): SwitchOutcome | null {
  if (observation?.kind !== "found") return observation?.kind ?? "unreachable";
  if (observation.status === "stopping") return "busy";
  const isUp = observation.isAlive || observation.status === "restarting";
  // One that does not run yet may be on the way up.
  if (action === "stop") return isUp || phase === "starting" ? null : "off";
  return isUp ? "running" : null;
}

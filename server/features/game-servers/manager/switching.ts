import { errorFields } from "#server/platform/log.ts";
import { every } from "#server/time.ts";
import { EngineRefusedError } from "../drivers/driver.ts";
import { messages, type StartFailure, type SwitchAction, type SwitchRequest } from "../rules.ts";
import { claimSwitch, endSwitch, renewSwitch } from "../store.ts";
import type { RequestedBy, RunningSwitch, SupervisedServer, SupervisionContext } from "./supervised-server.ts";
import { withTimeout } from "./timings.ts";

/** The outcome of a request. `missing`: the container, unit or program does not exist. */
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
 * Starts or stops a server, one at a time. Resolves when the start was accepted or the stop has begun; the rest continues in the
 * background. A stop requested during a start is made once the server has started.
 */
export async function switchServer(
  server: SupervisedServer,
  action: SwitchAction,
  by: RequestedBy,
  context: SupervisionContext,
): Promise<SwitchOutcome> {
  const { db, clock, log, timings, announce } = context;
  const { id, display_name: name } = server.row;
  await server.ended;
  const current = server.runningSwitch;
  if (current) {
    // Only a stop may follow a running start.
    if (current.action !== "start" || action !== "stop" || current.isStopRequested) return "busy";
    current.isStopRequested = true;
    await requestStop();
    return "stopping";
  }

  const began = performance.now();
  const runningSwitch: RunningSwitch = { action, isStopRequested: false };
  server.runningSwitch = runningSwitch;
  const stopRenewing = every(
    renewEveryMs,
    () => renewSwitch(db, id, runningSwitch.action, clock.now()),
    (error) => log.warn("game-server-lease-lost", { server: id, ...errorFields(error) }),
  );
  try {
    if (!(await claimSwitch(db, id, action, clock.now()))) {
      release();
      return "busy";
    }
    await server.refresh();
    const needless = findNoOpOutcome(action, server.state);
    if (needless && !runningSwitch.isStopRequested) {
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
    // A later stop request wins.
    if (runningSwitch.isStopRequested) {
      finishAfter(stopIfRequested());
      return needless ?? "starting";
    }
    return await start();
  } catch (error) {
    // The database failed: the lease expires automatically.
    release();
    throw error;
  }

  async function start(): Promise<SwitchOutcome> {
    const { observation, requested, requestedBy, requestedAt } = server.state;
    await saveRequest({ requested: "start", requestedBy: by?.id ?? null, requestedAt: clock.now() });
    // A script may take seconds: until then open pages only show the member and that it is starting.
    announce(id, "", null);
    const started = server.driver.start(server.target, observation).then(
      () => null,
      (error: unknown) => {
        logFailure(error);
        return toFailure(error);
      },
    );
    const remainingMs = timings.startMs - (performance.now() - began);
    const failure = await withTimeout(started, remainingMs, noAnswer);
    if (failure === null) announce(id, messages.starting(name), by);
    // A later stop request wins.
    else if (!runningSwitch.isStopRequested) {
      const request = { requested, requestedBy, requestedAt };
      const at = clock.now();
      await server.apply({ type: "start-failed", failure: { ...failure, at }, request });
      if (failure.reason !== "unreachable") announceFailure(failure.reason, at);
    }
    finishAfter(started.then(stopIfRequested));
    if (failure === null) return "starting";
    return failure.reason === "unreachable" ? "unreachable" : "start-failed";
  }

  /** Omits the name: the member has not failed. */
  function announceFailure(reason: StartFailure["reason"], failedStartAt: number | null = null): void {
    const member = by && { id: by.id, avatarId: null };
    announce(id, messages.startFailed(name, reason), member, { isFailure: true, failedStartAt });
  }

  async function stopIfRequested(): Promise<void> {
    if (!runningSwitch.isStopRequested) return;
    runningSwitch.action = "stop";
    await server.refresh();
    await stop();
  }

  /** `interrupted`: the start of a machine that is still booting; it continues if the stop fails. */
  async function stop(interrupted: SwitchRequest | null = null): Promise<void> {
    try {
      await server.driver.stop(server.target, server.state.observation);
    } catch (error) {
      logFailure(error);
      await server.refresh();
      if (interrupted) await saveRequest(interrupted);
      // Only the answer got lost.
      else if (server.state.observation?.kind === "found" && !server.state.isAlive) return;
      announce(id, messages.stopFailed(name), null, { isFailure: true });
    }
  }

  async function requestStop(): Promise<void> {
    await saveRequest({ requested: "stop", requestedBy: by?.id ?? null, requestedAt: clock.now() });
    announce(id, by ? messages.stopping(name) : messages.stoppingEmpty(name), by);
  }

  function saveRequest(request: SwitchRequest): Promise<void> {
    return server.apply({ type: "requested", request });
  }

  /** Finishes in the background after the answer. */
  function finishAfter(work: Promise<void>): void {
    void work
      .then(finish)
      .then(() => server.refresh())
      .catch(logFailure);
  }

  async function finish(): Promise<void> {
    release();
    const ended = endSwitch(db, id);
    // A failed query is ignored here: the lease then ends by its expiry.
    server.ended = Promise.allSettled([ended]);
    await ended;
  }

  function release(): void {
    stopRenewing();
    server.runningSwitch = null;
  }

  /** The engine's own text is not logged: it names containers and paths. */
  function logFailure(error: unknown): void {
    const kind = error instanceof Error ? error.constructor.name : "unknown";
    log.warn("game-server-change-failed", { server: id, error: kind });
  }
}

type Failure = Pick<StartFailure, "reason" | "detail">;

const noAnswer: Failure = { reason: "unreachable", detail: null };

function toFailure(error: unknown): Failure {
  return error instanceof EngineRefusedError ? { reason: error.reason, detail: error.detail } : noAnswer;
}

/** Returns the outcome if there is nothing to do or nothing can be done; `null` to proceed. */
function findNoOpOutcome(
  action: SwitchAction,
  { observation, phase }: SupervisedServer["state"],
): SwitchOutcome | null {
  if (observation?.kind !== "found") return observation?.kind ?? "unreachable";
  if (observation.status === "stopping") return "busy";
  const isUp = observation.isAlive || observation.status === "restarting";
  // A server that does not run yet may be booting.
  if (action === "stop") return isUp || phase === "starting" ? null : "off";
  return isUp ? "running" : null;
}
